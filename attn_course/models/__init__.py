"""Encoders and decoders, each built from the equations.

In the order in which to read them:

    encoder             annotations: states of a recurrent network, read in both directions
    decoder             what decoders share: memory, step, protocol
    bahdanau            a decoder that looks before each step
    fixed_context       the decoder before attention
    luong               a decoder that looks after each step
    local               a decoder that looks through a window
    input_feeding       a decoder that is given what it has seen
    transformer_blocks  attention and feed-forward networks between residual connections
    transformer         an encoder and a decoder without recurrence
    one_sequence        a Transformer without an encoder
    language_model      a Transformer of today: shared keys and values, a gated network
    language_file       the weights and symbols of one that others have trained
    translator          encoder and decoder in one model, which training and search work with
    pointer             finds the mistake in a word; its weights are the answer
    trunk               readers of canvases: from pixels to features
    one_look            a mask, or pooling instead of one
    glimpse             one look after another
    hard_look           a cell drawn at random
    gaussian_look       a window with soft edges
"""
