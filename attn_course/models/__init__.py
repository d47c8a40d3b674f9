"""Encoders and decoders, each built from the equations.

Read `encoder` first (annotations), then `bahdanau` (a decoder that looks before each step),
`fixed_context` (the decoder before attention) and `luong` (one that looks after each step), with
`local` (through a window) and `input_feeding` (told what it has seen). `transformer_blocks` and
`transformer` do without recurrence, `one_sequence` without an encoder. Then comes `translator`
(encoder and decoder in one model, which training and search work with), with `dropout` (what is
hidden from it in training) and `ensemble` (several that write together). `pointer` stands apart: it
finds the mistake in a word, and its weights are the answer. The readers of canvases stand apart
too: `trunk` (from pixels to features), `one_look` (a mask, or pooling instead of one), `glimpse`
(one look after another), `hard_look` (a cell drawn at random) and `gaussian_look` (a window with
soft edges).
"""
