"""A GPU that is pretended, for machines that have none: what would fail on a real one fails here.

    with PretendedGpu() as gpu:
        model = bahdanau(7, 7).to("cuda")
        model(sources, ...)             # RuntimeError, as with CUDA: the sources are on the CPU
        loss.item()
    gpu.waits                           # Counter({"item": 1}): when the CPU waited for the GPU

A `Pretended` tensor keeps its numbers on the CPU and says that it is on ``cuda:0``. Two modes see
each call: one before autograd, where Python names a device (factories, ``.to``, ``numpy``), and one
below it, where the operations are, which refuses to mix devices. As with CUDA, a CPU tensor without
axes may take part in anything, and CPU tensors may index. Results are those of the CPU.

Speed, memory and the kernels' rounding are not pretended; only where tensors are is.
"""

from collections import Counter
from contextlib import ExitStack
from unittest import mock

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode, return_and_correct_aliasing

GPU = torch.device("cuda", 0)
ATEN = torch.ops.aten

# Operations whose result the CPU must wait for, as the size of a result or a branch depends on it
WAITING = {
    ATEN._local_scalar_dense: "item",
    ATEN.equal: "equal",
    ATEN.nonzero: "nonzero",
    ATEN.masked_select: "masked_select",
    ATEN._unique2: "unique",
    ATEN.unique_dim: "unique",
    ATEN.repeat_interleave: "repeat_interleave",
}
INDEXING = (ATEN.index, ATEN.index_put, ATEN.index_put_, ATEN._index_put_impl_)
ACROSS = (ATEN.copy_, ATEN._to_copy, ATEN.set_)  # what may have one tensor here and one there
MIXED = "Expected all tensors to be on the same device, but found at least two devices, {} and {}!"
NO_NUMPY = (
    "can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host "
    "memory first."
)


class Pretended(Tensor):
    """A tensor that says it is on a GPU. Its numbers are in ``numbers``, a tensor on the CPU."""

    @staticmethod
    def __new__(cls, numbers):
        made = Tensor._make_wrapper_subclass(
            cls,
            numbers.size(),
            strides=numbers.stride(),
            storage_offset=numbers.storage_offset(),
            dtype=numbers.dtype,
            device="cpu",  # as far as autograd is concerned, which has no threads for a GPU
        )
        made.numbers = numbers
        return made

    device = property(lambda self: GPU)
    is_cuda = property(lambda self: True)
    is_cpu = property(lambda self: False)
    __torch_function__ = torch._C._disabled_torch_function_impl

    def __repr__(self, *, tensor_contents=None):
        return f"{self.numbers!r} on {GPU}"

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        raise RuntimeError(f"{func} of a tensor on a pretended GPU that has been left")


class Generator(torch.Generator):
    """A random generator that says it is on the GPU."""

    device = property(lambda self: GPU)


class PretendedGpu:
    """Within it, there is a GPU. ``waits`` counts the calls for which the CPU waits for it."""

    def __init__(self):
        self.waits = Counter()

    def __enter__(self):
        self._stack = ExitStack()
        states = {"get_rng_state": torch.zeros(16, dtype=torch.uint8), "current_device": 0}
        answers = {"is_available": True, "device_count": 1, "get_device_name": "pretended"}
        for name, value in (states | answers).items():
            self._patch(name, lambda *_, value=value, **__: value)
        self._patch("get_rng_state_all", lambda: [states["get_rng_state"]])
        if hasattr(torch, "accelerator"):  # with it, a build for CUDA would look for a driver
            no_driver = mock.patch.object(torch.accelerator, "current_accelerator", _no_accelerator)
            self._stack.enter_context(no_driver)
        no_cudnn = mock.patch.object(torch.backends.cudnn, "is_acceptable", return_value=False)
        self._stack.enter_context(no_cudnn)
        for name in ("set_rng_state", "set_rng_state_all", "manual_seed_all", "synchronize"):
            self._patch(name, lambda *_, **__: None)
        # a parameter that moves is a new one: PyTorch would put the new numbers into the old object
        before = torch.__future__.get_overwrite_module_params_on_conversion()
        torch.__future__.set_overwrite_module_params_on_conversion(True)
        self._stack.callback(torch.__future__.set_overwrite_module_params_on_conversion, before)
        self._stack.enter_context(
            mock.patch.object(torch._C, "_group_tensors_by_device_and_dtype", _grouped)
        )
        # in inference mode operations would come whole, and wrappers have no views
        self._stack.enter_context(
            mock.patch.object(torch._C, "_InferenceMode", lambda on: torch.set_grad_enabled(not on))
        )
        operations = _Operations(self.waits)
        self._stack.enter_context(operations)
        self._stack.enter_context(_Calls(self.waits, operations))
        return self

    def _patch(self, name, value):
        self._stack.enter_context(mock.patch.object(torch.cuda, name, value))

    def __exit__(self, *error):
        return self._stack.__exit__(*error)


class _Calls(TorchFunctionMode):
    """What Python calls, before autograd: the places where a device is named."""

    def __init__(self, waits, operations):
        super().__init__()
        self.waits, self.operations = waits, operations

    def __torch_function__(self, func, types, args=(), kwargs=None):
        name = getattr(func, "__name__", "")
        if name == "__get__":  # shape, dtype, grad ..., more often than anything else
            return func(*args)
        kwargs = dict(kwargs or {})
        own = args[0] if args and isinstance(args[0], Tensor) else None
        if func is torch.Generator or name == "set_default_device":
            raise NotImplementedError(f"{name} is not pretended")
        if name in ("numpy", "__array__") and isinstance(own, Pretended):
            raise TypeError(NO_NUMPY)
        if name == "tolist" and isinstance(own, Pretended):
            self.waits["tolist"] += 1
            return own.numbers.tolist()
        if name == "one_hot" and isinstance(own, Pretended):  # on the CPU it looks at the numbers
            return Pretended(func(own.numbers, *args[1:], **kwargs))
        if name in ("cpu", "cuda", "to", "type_as", "pin_memory") and own is not None:
            return self._moved(name, own, args[1:], kwargs)
        there = _some_there(args) or _some_there(kwargs.values())
        named = kwargs.get("device") is not None and torch.device(kwargs["device"]).type == "cuda"
        if "device" in kwargs and kwargs["device"] is not None:
            there = torch.device(kwargs["device"]).type == "cuda"
            kwargs["device"] = "cpu" if there else kwargs["device"]
        elif name in ("tensor", "as_tensor"):
            there = isinstance(own, Pretended) and name == "as_tensor"
        if kwargs.get("generator") is not None:
            _refuse_generator(kwargs["generator"], there)
        if name == "_pad_packed_sequence" and there:
            there = "unpacking"  # gives lengths, too, and these on the CPU
        made_here, self.operations.there = self.operations.there, there
        try:
            result = func(*args, **kwargs)
        finally:
            self.operations.there = made_here
        named |= name == "new_tensor" and there
        if named and isinstance(result, Tensor) and not isinstance(result, Pretended):
            return self._there(result)  # made of Python's numbers, or like a tensor on the CPU
        return result

    def _moved(self, name, tensor, args, kwargs):
        """The tensor on the device and with the dtype that the arguments say."""
        device = {"cpu": torch.device("cpu"), "cuda": GPU}.get(name, tensor.device)
        rest, args = {}, list(args)
        for key, value in [*enumerate(args), *kwargs.items()]:
            if name in ("cpu", "cuda", "pin_memory"):
                continue
            if isinstance(value, Tensor):
                device, rest["dtype"] = value.device, value.dtype
            elif isinstance(value, torch.dtype):
                rest["dtype"] = value
            elif isinstance(value, str | torch.device | int) and not isinstance(value, bool):
                device = torch.device(value)
            elif value is not None and key not in (1, 2) and key != "device":
                rest[key] = value
        rest.pop("non_blocking", None)
        if device.type == "meta":
            raise NotImplementedError("from the pretended GPU to meta is not pretended")
        if (device.type == "cuda") == isinstance(tensor, Pretended):
            return Tensor.to(tensor, **rest) if rest else tensor
        moved = self._there(tensor) if device.type == "cuda" else self._here(tensor)
        return Tensor.to(moved, **rest) if rest else moved

    def _there(self, tensor):
        return _Upload.apply(tensor)

    def _here(self, tensor):
        self.waits["cpu"] += 1
        return _Download.apply(tensor)


class _Upload(torch.autograd.Function):
    """From the CPU to the GPU; the gradient goes back."""

    @staticmethod
    def forward(context, tensor):
        return Pretended(tensor.detach().clone())

    @staticmethod
    def backward(context, gradient):
        return _numbers(gradient)


class _Download(torch.autograd.Function):
    """From the GPU to the CPU; the gradient goes back."""

    @staticmethod
    def forward(context, tensor):
        return tensor.numbers.clone()

    @staticmethod
    def backward(context, gradient):
        return Pretended(gradient)


class _Operations(TorchDispatchMode):
    """The operations themselves, below autograd: do they mix devices, does the CPU wait for one?

    there  whether what is made without any tensor is made on the GPU: so it is within a call that
           has a tensor there, whose parts say "where that tensor is"
    """

    def __init__(self, waits):
        super().__init__()
        self.waits, self.there = waits, False

    @classmethod
    def _should_skip_dynamo(cls):
        return False  # nothing is compiled here, and to skip what is takes a sixth of the time

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        there = _some_there(args) or _some_there(kwargs.values())
        if not there and not self.there:
            return func(*args, **kwargs)
        tensors = [*_tensors(args), *_tensors(kwargs.values())]
        made_there = there or (not tensors and self._makes_there(kwargs))
        if not made_there:
            return func(*args, **kwargs)
        packet = func.overloadpacket
        packs = packet is ATEN._pack_padded_sequence  # which wants a mixture
        if packs or not all(type(each) is Pretended for each in tensors):
            self._refuse_mixture(func, packet, args, tensors)
        if packet in WAITING:
            self.waits[WAITING[packet]] += 1
        elif packet in INDEXING and any(each.dtype == torch.bool for each in _tensors(args[1])):
            self.waits["mask"] += 1
        result = func(*map(_numbers, args), **{key: _numbers(kwargs[key]) for key in kwargs})
        if packs:  # the batch sizes stay on the CPU
            return Pretended(result[0]), result[1]
        if torch.Tag.inplace_view in func.tags:  # the shape that the tensor shows changes, too
            return return_and_correct_aliasing(func, args, kwargs, _wrapped(result))
        if not func._schema.is_mutable:
            return _wrapped(result)
        if packet is ATEN.copy_ and type(args[0]) is not Pretended:
            self.waits["cpu"] += 1
        return kwargs.get("out", args[0]) if isinstance(result, Tensor) else _wrapped(result)

    def _makes_there(self, options):
        """Whether what is made out of no tensor is made on the GPU."""
        if options.get("device") is None or self.there == "unpacking":
            return self.there and getattr(options.get("dtype"), "is_floating_point", False)
        return self.there

    @staticmethod
    def _refuse_mixture(func, packet, args, tensors):
        """Raise what CUDA raises where one tensor is here and another there."""
        here = [each for each in tensors if not isinstance(each, Pretended)]
        if packet is ATEN._pack_padded_sequence:
            if isinstance(args[1], Pretended):
                raise RuntimeError(
                    "'lengths' argument should be a 1D CPU int64 tensor, but got 1D cuda:0 tensor"
                )
        elif packet in INDEXING:
            if not isinstance(args[0], Pretended):
                raise RuntimeError(
                    "indices should be either on cpu or on the same device as the indexed tensor "
                    "(cpu)"
                )
            values = args[2] if len(args) > 2 else args[0]
            if not isinstance(values, Pretended) and values.dim():
                raise RuntimeError(f"{MIXED.format(GPU, 'cpu')} ({func})")
        elif packet not in ACROSS:
            written = func._schema.is_mutable and not isinstance(args[0], Pretended | list)
            joined = packet in (ATEN.cat, ATEN.stack)  # to these, no tensor is a mere number
            if written or joined or any(each.dim() for each in here):
                raise RuntimeError(f"{MIXED.format(GPU, 'cpu')} ({func})")


def _no_accelerator(check_available=False):
    """An optimiser asks for it, to see whether a graph of calls is recorded; none is."""


def _refuse_generator(generator, there):
    """Raise what PyTorch raises where a generator is not where its numbers go."""
    if (generator.device.type == "cuda") != there:
        wanted, got = ("cuda", "cpu") if there else ("cpu", "cuda")
        raise RuntimeError(f"Expected a '{wanted}' device type for generator but found '{got}'")


def _grouped(*args, original=torch._C._group_tensors_by_device_and_dtype):
    """Tensors by device and dtype, as optimisers ask for them, with the devices that they show."""
    return {
        (group[0][0].device, dtype): (group, *others)
        for (_, dtype), (group, *others) in original(*args).items()
    }


def _tensors(values):
    """The tensors among the values, and in lists among them."""
    for each in values:
        if isinstance(each, Tensor):
            yield each
        elif isinstance(each, list | tuple):
            yield from _tensors(each)


def _some_there(values):
    """Whether one of the values, or of a list among them, is on the GPU."""
    for each in values:
        kind = type(each)
        if kind is Pretended or (kind in (list, tuple) and _some_there(each)):
            return True
    return False


def _numbers(value):
    """The tensor on the CPU behind a pretended one; so for each in a list."""
    if isinstance(value, list | tuple):
        return [_numbers(each) for each in value]
    return value.numbers if type(value) is Pretended else value


def _wrapped(result):
    """Each tensor of a result as one on the GPU."""
    if isinstance(result, list | tuple):
        return [_wrapped(each) for each in result]
    return Pretended(result) if isinstance(result, Tensor) else result
