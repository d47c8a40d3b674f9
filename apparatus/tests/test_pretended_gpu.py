"""The pretended GPU refuses what CUDA refuses, allows what it allows, and counts the waits."""

import copy

import numpy as np
import pytest
import torch
from pretended_gpu import Generator, Pretended, PretendedGpu
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

MIXED = "Expected all tensors to be on the same device"


@pytest.fixture
def gpu():
    with PretendedGpu() as gpu:
        yield gpu


@pytest.fixture
def there(gpu):
    return torch.arange(6.0).view(2, 3).to("cuda")


@pytest.mark.parametrize(
    "mix",
    [
        lambda x: x + torch.ones(2, 3),
        lambda x: x @ torch.ones(3, 2),
        lambda x: torch.cat([x, torch.ones(2, 3)]),
        lambda x: torch.stack([x[0, 0], torch.tensor(1.0)]),
        lambda x: torch.where(torch.ones(2, 3) > 0, x, 0.0),
        lambda x: nn.functional.embedding(torch.tensor([1]), x),
        lambda x: x.gather(1, torch.zeros(2, 1, dtype=torch.long)),
        lambda x: nn.Linear(3, 2)(x),
        lambda x: torch.ones(2, 3).add_(x),
        lambda x: torch.tensor(1.0).add_(x[0, 0]),
    ],
)
def test_what_mixes_devices_is_refused(there, mix):
    with pytest.raises(RuntimeError, match=MIXED):
        mix(there)


def test_cpu_numbers_without_axes_and_cpu_indices_are_allowed(there):
    assert (there + torch.tensor(1.0)).device.type == "cuda"
    rows = there[torch.tensor([1, 0])]
    assert rows.tolist() == [[3, 4, 5], [0, 1, 2]]
    assert there[:, [True, False, True]].shape == (2, 2)
    with pytest.raises(RuntimeError, match="indices should be either on cpu"):
        torch.ones(2, 3)[torch.tensor([0], device="cuda")]


@pytest.mark.parametrize("to_numpy", [lambda x: x.numpy(), np.asarray, np.sqrt])
def test_numpy_gets_nothing_from_the_gpu(there, to_numpy):
    with pytest.raises(TypeError, match=r"can't convert cuda:0 device type tensor to numpy"):
        to_numpy(there)
    assert there.cpu().numpy().sum() == 15


def test_factories_and_moves(gpu, there):
    for made in (
        torch.tensor([1.0], device="cuda"),
        torch.zeros(2, device=torch.device("cuda", 0)),
        torch.rand(3, device=there.device),
        there.new_zeros(2),
        there.new_tensor([1, 2]),
        torch.zeros_like(there),
        torch.zeros_like(torch.ones(2), device="cuda"),
        torch.ones(2).cuda(),
        torch.ones(2).to(there),
        torch.from_numpy(np.ones(2)).to("cuda", torch.float32),
    ):
        assert isinstance(made, Pretended)
        assert made.device == torch.device("cuda", 0)
    for made in (torch.zeros(2), torch.from_numpy(np.ones(2)), there.to("cpu"), there.cpu()):
        assert made.device.type == "cpu"
    assert there.to(torch.float64).device.type == "cuda"
    assert there.to(torch.ones(1, dtype=torch.float64)).device.type == "cpu"
    assert there.to(there.device) is there


def test_generators_belong_to_a_device(gpu):
    with pytest.raises(RuntimeError, match="Expected a 'cuda' device type for generator"):
        torch.rand(3, device="cuda", generator=torch.Generator())
    with pytest.raises(RuntimeError, match="Expected a 'cpu' device type for generator"):
        torch.rand(3, generator=Generator())
    assert torch.rand(3, device="cuda", generator=Generator()).device.type == "cuda"


@pytest.mark.parametrize("kind", [nn.GRU, nn.LSTM])
def test_packing_takes_lengths_on_the_cpu(gpu, kind):
    rnn, vectors = kind(4, 5, batch_first=True), torch.randn(2, 3, 4)
    lengths = torch.tensor([3, 2])

    def annotated(vectors):
        packed = pack_padded_sequence(vectors, lengths, batch_first=True, enforce_sorted=False)
        return packed, *pad_packed_sequence(rnn(packed)[0], batch_first=True)

    _, here, _ = annotated(vectors)
    rnn, vectors = rnn.to("cuda"), vectors.to("cuda")
    packed, output, sizes = annotated(vectors)
    assert packed.batch_sizes.device.type == sizes.device.type == "cpu"
    torch.testing.assert_close(output.cpu(), here)
    with pytest.raises(RuntimeError, match="should be a 1D CPU int64 tensor"):
        pack_padded_sequence(vectors, lengths.to("cuda"), batch_first=True)


def test_views_share_their_numbers(there):
    there[:, 0] = 9.0
    there[1].mul_(2)
    assert there.tolist() == [[9, 1, 2], [18, 8, 10]]
    there.t_()
    assert there.shape == (3, 2)
    assert there.unsqueeze_(0).shape == (1, 3, 2)


def test_gradients_and_optimisers_work(gpu):
    torch.manual_seed(1)
    model = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 2))
    twin = copy.deepcopy(model).to("cuda")
    data = torch.randn(7, 3)
    for each, given in ((model, data), (twin, data.to("cuda"))):
        optimiser = torch.optim.AdamW(each.parameters(), fused=True)
        for _ in range(3):
            optimiser.zero_grad()
            each(given).square().sum().backward()
            nn.utils.clip_grad_norm_(each.parameters(), 1.0)
            optimiser.step()
    assert all(part.grad.device.type == "cuda" for part in twin.parameters())
    assert isinstance(twin[0].weight, nn.Parameter)
    assert not gpu.waits
    for one, other in zip(model.parameters(), twin.parameters(), strict=True):
        torch.testing.assert_close(one, other.cpu())
    twin.load_state_dict(model.state_dict())
    assert torch.equal(twin[0].weight.cpu(), model[0].weight)


def test_gradients_cross_from_one_device_to_the_other(gpu):
    here = torch.ones(3, requires_grad=True)
    (here.to("cuda") * 2).cpu().sum().backward()
    assert here.grad.tolist() == [2, 2, 2]
    assert here.grad.device.type == "cpu"


def test_what_the_cpu_waits_for_is_counted(gpu, there):
    assert there.sum().item() == 15
    assert there.tolist()[0] == [0, 1, 2]
    assert (there >= 0).all()
    assert len(there[there > 3]) == 2
    assert len(there.nonzero()) == 5
    there.cpu()
    assert gpu.waits == {"item": 2, "tolist": 1, "mask": 1, "nonzero": 1, "cpu": 1}


def test_waits_are_counted_in_inference_mode_too(gpu):
    with torch.inference_mode():
        made = torch.ones(3, device="cuda")
        assert made.sum().item() == 3
        assert (made > 0).all()
    assert gpu.waits == {"item": 2}


def test_there_is_no_gpu_afterwards(gpu):
    assert torch.cuda.is_available()
    assert torch.cuda.device_count() == 1
    with torch.random.fork_rng():
        torch.manual_seed(3)
