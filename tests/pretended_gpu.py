"""A GPU that is pretended, for machines that have none: what would mix devices there fails here.

    with a_gpu():
        model = bahdanau(7, 7).to("cuda")
        model(sources, ...)             # RuntimeError, as with CUDA, if it leaves them on the CPU

A tensor's storage is marked as being there; its numbers stay on the CPU. One mode sees what Python
calls, where a device is named or asked for; the other the operations below autograd, which refuse
to mix devices. As with CUDA, a CPU tensor without axes may take part in anything, and CPU tensors
may index. Where there is a GPU, `a_gpu` is that one. (Torch's FakeTensorMode refuses mixtures too,
but has no numbers, without which no search and no chapter gets far.)
"""

from contextlib import ExitStack, contextmanager
from unittest import mock

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode, _disable_current_modes

GPU, CPU = torch.device("cuda", 0), torch.device("cpu")
ATEN = torch.ops.aten
INDEXING = (ATEN.index, ATEN.index_put, ATEN.index_put_, ATEN._index_put_impl_)
ACROSS = (ATEN.copy_, ATEN.set_)  # may have one here and one there
MIXED = "Expected all tensors to be on the same device, but found {} and cpu ({})"
NO_NUMPY = "can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() first."
ATTRIBUTES = {Tensor.device: lambda at: at, Tensor.is_cuda: lambda at: at == GPU}
ANSWERS = {
    "is_available": True,
    "device_count": 1,
    "current_device": 0,
    "get_device_name": "pretended",
    "get_rng_state": torch.zeros(16, dtype=torch.uint8),
    "get_rng_state_all": [torch.zeros(16, dtype=torch.uint8)],
    **dict.fromkeys(("set_rng_state", "set_rng_state_all", "manual_seed_all", "synchronize")),
}


@contextmanager
def a_gpu():
    """Within it there is a GPU: the machine's own, or a pretended one."""
    if torch.cuda.is_available():
        yield
        return
    with ExitStack() as stack:
        for name, value in ANSWERS.items():
            answer = mock.patch.object(torch.cuda, name, lambda *_, value=value, **__: value)
            stack.enter_context(answer)
        for place, name, value in (
            (torch.accelerator, "current_accelerator", lambda *_, **__: None),
            (torch.backends.cudnn, "is_acceptable", lambda *_: False),
            # in inference mode, operations would come whole, such as a packed GRU
            (torch._C, "_InferenceMode", lambda on: torch.set_grad_enabled(not on)),
        ):
            stack.enter_context(mock.patch.object(place, name, value))
        operations = stack.enter_context(_Operations())
        stack.enter_context(_Calls(operations))
        yield


@contextmanager
def left():
    """As if there were no GPU after all, for what takes too long with one that is pretended."""
    if not there(torch.zeros(1, device="cuda")):  # it is not
        yield
        return
    nothing = mock.patch.object(torch.cuda, "is_available", return_value=False)
    with _disable_current_modes(), torch._C.DisableTorchFunction(), nothing:
        yield


def there(value):
    """Whether this is a tensor on the pretended GPU."""
    return isinstance(value, Tensor) and hasattr(value.untyped_storage(), "there")


def tensors(*values):
    """The tensors among the values, and in lists among them."""
    listed = []
    for value in values:
        if isinstance(value, Tensor):
            listed.append(value)
        elif isinstance(value, list | tuple):
            listed += tensors(*value)
    return listed


def put(value, device):
    """Mark a tensor, or those in a list, as being on this device."""
    for tensor in tensors(value):
        if there(tensor) != (device == GPU):
            storage = tensor.untyped_storage()
            storage.there = True
            if device == CPU:
                del storage.there
    return value


class _Calls(TorchFunctionMode):
    """What Python calls, before autograd: the places where a device is named or asked for."""

    def __init__(self, operations):
        super().__init__()
        self.operations = operations

    def __torch_function__(self, func, types, args=(), kwargs=None):
        name, kwargs = getattr(func, "__name__", ""), dict(kwargs or {})
        own = args[0] if args and isinstance(args[0], Tensor) else None
        if name == "__get__":
            tell = ATTRIBUTES.get(func.__self__)
            return tell(GPU if there(own) else CPU) if tell else func(*args)
        if name in ("numpy", "__array__") and there(own):
            raise TypeError(NO_NUMPY)
        if name in ("cpu", "cuda", "to") and own is not None:
            return self._moved(name, own, args[1:], kwargs)
        some = any(map(there, tensors(args, *kwargs.values())))
        named = kwargs.get("device")
        if named is not None:
            some = torch.device(named).type == "cuda"
            kwargs["device"] = "cpu" if some else named
        if (drawn := kwargs.get("generator")) is not None and some and drawn.device == CPU:
            raise RuntimeError("Expected a 'cuda' device type for generator but found 'cpu'")
        before, self.operations.there = self.operations.there, some
        try:
            result = func(*args, **kwargs)
        finally:
            self.operations.there = before
        if name == "_pad_packed_sequence" and some:
            put(result[1], CPU)  # the lengths
        if named is not None or name.startswith("new_") or name == "__deepcopy__":
            if some and name in ("as_tensor", "tensor"):
                result = result.clone()  # what it was made of stays here
            put(result, GPU if some else CPU)
        return result

    def _moved(self, name, tensor, args, kwargs):
        """The tensor on the device and with the dtype that the arguments say."""
        at = CPU if name == "cpu" else GPU if name == "cuda" or there(tensor) else CPU
        if name == "to":
            like = args[0] if args and isinstance(args[0], Tensor) else kwargs.get("other")
            named, dtype, *_ = torch._C._nn._parse_to(*args, **kwargs)
            if like is not None:
                named = GPU if there(like) else CPU
            at = at if named is None else GPU if named.type == "cuda" else CPU
            tensor = tensor if dtype is None else tensor.to(dtype)
        if there(tensor) == (at == GPU):
            return tensor
        return _Move.apply(tensor, at)


class _Move(torch.autograd.Function):
    """From one device to the other; the gradient goes back."""

    @staticmethod
    def forward(context, tensor, at):
        context.at = CPU if at == GPU else GPU
        return put(tensor.clone(), at)

    @staticmethod
    def backward(context, gradient):
        return put(gradient.clone(), context.at), None


class _Operations(TorchDispatchMode):
    """The operations themselves, below autograd: do they mix devices?

    there  whether what is made without any tensor is made on the GPU: so it is within a call that
           has a tensor there
    """

    there = False

    @classmethod
    def _should_skip_dynamo(cls):
        return False  # nothing is compiled here, and to skip what is takes time

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        every = tensors(args, *kwargs.values())
        here = [tensor for tensor in every if not there(tensor)]
        some, packet = len(here) < len(every), func.overloadpacket
        if some and (here or packet is ATEN._pack_padded_sequence):
            self._refuse_mixture(func, packet, args, here)
        result = func(*args, **kwargs)
        if (some or (self.there and not every)) and packet is not ATEN.copy_:
            put(result[0] if packet is ATEN._pack_padded_sequence else result, GPU)
        return result

    @staticmethod
    def _refuse_mixture(func, packet, args, here):
        """Raise what CUDA raises where one tensor is here and another there."""
        if packet in INDEXING:
            values = args[2] if len(args) > 2 else args[0]
            wrong = not there(args[0]) or not (there(values) or values.dim() == 0)
        elif packet is ATEN._pack_padded_sequence:
            wrong = there(args[1])  # lengths must be here
        else:
            written = func._schema.is_mutable and any(tensor is args[0] for tensor in here)
            joined = packet in (ATEN.cat, ATEN.stack)  # to these, no tensor is a mere number
            wrong = written or joined or any(tensor.dim() for tensor in here)
        if wrong and packet not in ACROSS:
            raise RuntimeError(MIXED.format(GPU, func))
