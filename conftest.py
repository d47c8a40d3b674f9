"""All tests run with the shapes in every signature enforced, and start from the same seed."""

# ruff: noqa: E402 (what check_shapes checks is imported after it)
import gc
import shutil
import signal
import sys
import tempfile

import attn_course

sys.modules.setdefault("rfc3987_syntax", None)  # a second for grammars, as in build.py
attn_course.check_shapes()  # before anything that it checks is imported

import jaxtyping
import pytest
import torch
from hypothesis import HealthCheck, settings

# the first call may import; machines differ, and are busy
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")

# what a script starts in the background ignores Ctrl-C, and so would all that the tests start
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

torch.set_num_threads(1)  # tensors this small are slower with several threads
gc.set_threshold(100_000, 20, 50)  # looking for garbage took a sixth of all time

collect_ignore = ["website/tests/recipes"]  # examples for a scratch copy of the course


# torch's own keeps the stack, in a millisecond, for a GPU that may come
sow = torch.manual_seed if torch.cuda.is_available() else torch.default_generator.manual_seed


# what takes a worker minutes begins first, so that all end together
LONGEST = ("test_gpu.py", "test_widget_language_model.py", "test_site.py")


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: item.path.name not in LONGEST)


def pytest_collection_finish():
    """What is there before the first test stays: it need not be looked at for garbage again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def seed():
    """Random inputs, the same in every run."""
    sow(0)


@pytest.fixture
def shapes_unchecked():
    """As within a training: the functions' own checks alone."""
    before = jaxtyping.config.jaxtyping_disable
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", before)


@pytest.fixture
def measured_here(monkeypatch):
    """The cells of a grid are measured in this process; `test_grid` has them measured in others."""
    grid = pytest.importorskip("attn_lab.grid")

    def here(workers, work):
        assert workers == 1
        return (measure() for measure in work.values())

    monkeypatch.setattr(grid, "_on_this_machine", here)


@pytest.fixture
def kernel():
    """A client of a kernel at sockets of its own: others could take its ports until it starts."""
    manager = pytest.importorskip("jupyter_client.manager")
    place = tempfile.mkdtemp(prefix="kernel-")  # the path of a socket is at most 100 bytes long
    started = manager.KernelManager(kernel_name="python3", transport="ipc", ip=f"{place}/socket")
    started.start_kernel()
    client = started.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=600)
        yield client
    finally:
        client.stop_channels()
        started.shutdown_kernel(now=True)
        shutil.rmtree(place)


@pytest.fixture(params=["cpu", "cuda"])
def device(request):
    """Each device that the course runs on."""
    if request.param == "cuda" and not torch.cuda.is_available():
        pytest.skip("no GPU here")
    return torch.device(request.param)
