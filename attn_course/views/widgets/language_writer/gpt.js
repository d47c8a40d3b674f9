// The language model of attn_course/from_scratch/gpt.py, as it runs in the page: token by token, with
// the keys and values of those before kept. The names of the arrays are those of its state_dict.
//
//   x <- x + W_o [head_1 ; .. ; head_H]    head = Σ_j softmax_j(q · k_j / √d) v_j
//   x <- x + W_2 (silu(W_g x) ∘ W_1 x)     both of norm(x); silu(a) = a σ(a)
//   logits = E norm(x)

import { affine, rowOf, sigmoid, sumOver } from "../shared/bahdanau.js";
import { softmax } from "../shared/common.js";
import { rotate } from "../shared/transformer.js";

const EPSILON = 1e-5; // of the norms

/** A function of some tokens that gives the logits of the next one. What they share with the tokens
 *  that it was given before is not read again. */
export function nextToken({ arrays, heads }) {
  const part = (name) => arrays[`${name}.weight`];
  const blocks = [];
  while (part(`blocks.${blocks.length}.norm1`)) blocks.push([]); // of each, the keys and values
  let [known, logits] = [[], null];

  function read(token) {
    let x = Float64Array.from(rowOf(part("embedding"), token));
    blocks.forEach((kept, b) => {
      const own = (name) => part(`blocks.${b}.${name}`);
      x = plus(x, affine(own("attention.o"), found(own, heads, normed(own("norm1"), x), kept)));
      const y = normed(own("norm2"), x);
      const [gate, up] = [affine(own("gate"), y), affine(own("up"), y)];
      const passed = up.map((entry, k) => entry * gate[k] * sigmoid(gate[k]));
      x = plus(x, affine(own("down"), passed));
    });
    return x;
  }

  return (tokens) => {
    let same = 0;
    while (same < known.length && known[same] === tokens[same]) same++;
    if (same === known.length && same === tokens.length) return logits;
    same = Math.min(same, tokens.length - 1); // the last one is read again, for its logits
    for (const kept of blocks) kept.length = same;
    const [x] = tokens.slice(same).map(read).slice(-1);
    [known, logits] = [[...tokens], affine(part("embedding"), normed(part("norm"), x))];
    return logits;
  };
}

/** What all heads find, side by side. The keys and values of this position join those before; some
 *  heads may share them. */
function found(own, heads, x, kept) {
  const size = x.length / heads;
  const slices = (name) => {
    const all = affine(own(`attention.${name}`), x);
    return Array.from({ length: all.length / size }, (_, h) =>
      all.subarray(h * size, (h + 1) * size),
    );
  };
  const [position, queries, keys, values] = [kept.length, ...["q", "k", "v"].map(slices)];
  kept.push({ keys: keys.map((key) => rotate(key, position)), values });
  const all = new Float64Array(x.length);
  queries.forEach((query, h) => {
    const [asking, shared] = [rotate(query, position), Math.floor((h * keys.length) / heads)];
    const scores = kept.map(({ keys }) => sumOver(asking, (entry, k) => entry * keys[shared][k]));
    softmax(scores.map((score) => score / Math.sqrt(size))).forEach((weight, j) => {
      kept[j].values[shared].forEach((entry, k) => (all[h * size + k] += weight * entry));
    });
  });
  return all;
}

/** gain ∘ x / √(mean of x² + ε) */
function normed({ values: gain }, x) {
  const root = Math.sqrt(sumOver(x, (entry) => entry ** 2) / x.length + EPSILON);
  return x.map((entry, k) => (gain[k] * entry) / root);
}

function plus(x, y) {
  return x.map((entry, k) => entry + y[k]);
}

/** The texts of all tokens: the characters, and then one for each pair that was joined. */
export function tokensOf(alphabet, pairs) {
  const tokens = [...alphabet];
  for (const [first, second] of pairs) tokens.push(tokens[first] + tokens[second]);
  return tokens;
}

/** A text as tokens: first characters, then each pair in its turn is joined wherever it stands. A
 *  character that is no token is left out. */
export function tokensIn(text, alphabet, pairs) {
  let tokens = [...text].map((each) => alphabet.indexOf(each)).filter((token) => token >= 0);
  pairs.forEach(([first, second], rank) => {
    const [joined, made] = [[], alphabet.length + rank];
    for (const token of tokens) {
      if (token === second && joined.at(-1) === first) joined[joined.length - 1] = made;
      else joined.push(token);
    }
    tokens = joined;
  });
  return tokens;
}
