"""Check the arrays of a trained model that a widget runs in the page.

The page computes with them, under the names of the model's state_dict.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import count

import numpy as np

from attn_course._values import expect_count

_KEY_BIAS = "decoder.score.key_projection.bias"  # the only array that a translator may lack


def fitting(
    arrays: Mapping[str, np.ndarray],
    expected: Mapping[str, tuple[int, ...]],
    whose: str,
    may_lack: Collection[str] = (),
) -> dict[str, np.ndarray]:
    """The arrays in the order of what is expected, once their names and shapes fit together.

    arrays    a state_dict, as NumPy arrays
    expected  name -> shape; `side` gives the sizes that follow from the arrays themselves
    whose     whose arrays they must be, for the error: "a PointerReader with one layer"
    may_lack  the names that may be missing

    An array that is missing, unknown, or of the wrong shape is a ValueError.
    """
    by_name = {name: np.asarray(array) for name, array in arrays.items()}
    missing, extra = set(expected) - set(may_lack) - set(by_name), set(by_name) - set(expected)
    if missing or extra:
        raise ValueError(
            f"arrays must be those of {whose}; "
            f"missing: {sorted(missing) or 'none'}; unknown: {sorted(extra) or 'none'}"
        )
    by_name = {name: by_name[name] for name in expected if name in by_name}
    for name, array in by_name.items():
        if array.shape != expected[name]:
            raise ValueError(
                f"{name} must have the shape {expected[name]} to fit the other arrays and the "
                f"symbols; got {array.shape}"
            )
    return by_name


def side(arrays: Mapping[str, np.ndarray], name: str, axis: int) -> int:
    """A size that other arrays must fit; -1 where there is none, which `fitting` then reports."""
    shape = np.shape(arrays[name]) if name in arrays else ()
    return shape[axis] if axis < len(shape) else -1


def of_translator(
    arrays: Mapping[str, np.ndarray],
    source_symbols: int,
    target_symbols: int,
    *,
    score: str = "additive",
    directions: int = 2,
) -> dict[str, np.ndarray]:
    """`fitting` for the arrays of a `Translator`, with which ``shared/bahdanau.js`` computes.

    source_symbols, target_symbols  how many symbols the vocabularies hold
    score                           "additive" or "dot"
    directions                      of the encoder, 2 or 1
    """
    expected = _expected(arrays, source_symbols, target_symbols, score == "additive", directions)
    return fitting(arrays, expected, f"a model with GRU cells and the {score} score", {_KEY_BIAS})


def of_luong(
    arrays: Mapping[str, np.ndarray], source_symbols: int, target_symbols: int
) -> dict[str, np.ndarray]:
    """`fitting` for the arrays of a `luong`, with which ``shared/luong.js`` computes."""
    embedding, encoder = (
        side(arrays, name, 1) for name in ("encoder.embedding.weight", "encoder.rnn.weight_hh_l0")
    )
    target_embedding = side(arrays, "decoder.embedding.weight", 1)
    state, annotation = side(arrays, "decoder.rnn.weight_hh_l0", 1), 2 * encoder
    recurrent = {
        f"encoder.rnn.{name}_l0{direction}": shape
        for direction in ("", "_reverse")
        for name, shape in _gru(embedding, encoder).items()
    }
    moving = {
        f"decoder.rnn.{name}_l0": shape for name, shape in _gru(target_embedding, state).items()
    }
    expected = {
        "encoder.embedding.weight": (source_symbols, embedding),
        **recurrent,
        "decoder.embedding.weight": (target_symbols, target_embedding),
        "decoder.score.key_projection.weight": (state, annotation),
        **_linear("decoder.start", state, encoder),
        **moving,
        **_linear("decoder.combine", state, annotation + state),
        **_linear("decoder.readout", target_symbols, state),
    }
    return fitting(arrays, expected, "a luong with GRU cells and the general score")


def of_transformer(
    arrays: Mapping[str, np.ndarray], source_symbols: int, target_symbols: int, heads: int
) -> dict[str, np.ndarray]:
    """`fitting` for the arrays of a `transformer`, with which ``shared/transformer.js`` computes.

    source_symbols, target_symbols  how many symbols the vocabularies hold
    heads                           of each attention, a number that no array shows; with rotary
                                    positions a head must have an even number of entries
    """
    size, heads = side(arrays, "encoder.embedding.weight", 1), expect_count("heads", heads)
    expected = {
        "encoder.embedding.weight": (source_symbols, size),
        **_stack(arrays, "encoder", size, ("inside",)),
        "decoder.embedding.weight": (target_symbols, size),
        **_stack(arrays, "decoder", size, ("inside", "across")),
        "decoder.readout.weight": (target_symbols, size),
        "decoder.readout.bias": (target_symbols,),
    }
    checked = fitting(arrays, expected, "a transformer with the norm first and rotary positions")
    if size % (2 * heads):
        raise ValueError(
            f"heads must divide the size of the vectors, {size}, into parts with an even number of "
            f"entries; got {heads}"
        )
    return checked


def layers_of(arrays: Collection[str], side_of: str) -> int:
    """How many blocks the arrays have on one side, "encoder" or "decoder"; at least 1."""
    name = f"{side_of}.blocks.{{}}.inside.query_projection.weight"
    return next(layers for layers in count(1) if name.format(layers) not in arrays)


def _stack(
    arrays: Mapping[str, np.ndarray], side_of: str, size: int, attentions: tuple[str, ...]
) -> dict[str, tuple[int, ...]]:
    """The shapes of all blocks on one side of a transformer, and of the norm after them."""
    shapes = {}
    for layer in range(layers_of(arrays, side_of)):
        block = f"{side_of}.blocks.{layer}"
        hidden = side(arrays, f"{block}.network.0.weight", 0)
        for attention in attentions:
            for part in ("query", "key", "value", "output"):
                shapes |= _linear(f"{block}.{attention}.{part}_projection", size, size)
        for part in (*attentions, "network"):
            shapes |= _norm(f"{block}.around_{part}.norm", size)
        shapes |= _linear(f"{block}.network.0", hidden, size)
        shapes |= _linear(f"{block}.network.2", size, hidden)
    return shapes | _norm(f"{side_of}.norm", size)


def _linear(name: str, outputs: int, inputs: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (outputs, inputs), f"{name}.bias": (outputs,)}


def _norm(name: str, size: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.{part}": (size,) for part in ("weight", "bias")}


def _expected(
    arrays: Mapping[str, np.ndarray],
    source_symbols: int,
    target_symbols: int,
    additive: bool,
    directions: int,
) -> dict[str, tuple[int, ...]]:
    encoder = side(arrays, "encoder.rnn.weight_hh_l0", 1)
    embedding = side(arrays, "encoder.embedding.weight", 1)
    target_embedding = side(arrays, "decoder.embedding.weight", 1)
    state = side(arrays, "decoder.cell.weight_hh", 1)
    hidden = side(arrays, "decoder.score.query_projection.weight", 0)
    annotation = directions * encoder
    encoders = {
        f"encoder.rnn.{name}_l0{direction}": shape
        for direction in ("", "_reverse")[:directions]
        for name, shape in _gru(embedding, encoder).items()
    }
    score = {
        "decoder.score.query_projection.weight": (hidden, state),
        "decoder.score.key_projection.weight": (hidden, annotation),
        _KEY_BIAS: (hidden,),
        "decoder.score.energy.weight": (1, hidden),
    }
    cell = {
        f"decoder.cell.{name}": shape
        for name, shape in _gru(target_embedding + annotation, state).items()
    }
    return {
        "encoder.embedding.weight": (source_symbols, embedding),
        **encoders,
        "decoder.embedding.weight": (target_symbols, target_embedding),
        **(score if additive else {}),
        "decoder.start.weight": (state, encoder),
        "decoder.start.bias": (state,),
        **cell,
        "decoder.readout.weight": (target_symbols, state + annotation),
        "decoder.readout.bias": (target_symbols,),
    }


def _gru(inputs: int, state: int) -> dict[str, tuple[int, ...]]:
    return {
        "weight_ih": (3 * state, inputs),
        "weight_hh": (3 * state, state),
        "bias_ih": (3 * state,),
        "bias_hh": (3 * state,),
    }
