// Text as the symbols of a language model, and back: the bytes of each word, merged in pairs.
//
// The symbols and the order of the merges come from the model's file (Sennrich et al. 2016). Each
// byte is written as a character of its own; those that cannot be seen stand higher up.

/** The character that stands for each byte. */
const CHARACTERS = (() => {
  const seen = (byte) => (byte > 32 && byte < 127) || (byte > 160 && byte < 173) || byte > 173;
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(seen(byte) ? byte : next++));
})();
const BYTES = new Map(CHARACTERS.map((character, byte) => [character, byte]));

// digits one by one; then contractions, words, signs, each with the space before it, and spaces
const DIGIT = /(\p{N})/u;
const WORD =
  /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\p{White_Space}\p{L}\p{N}]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+/gu;

/** `read` gives the numbers of a text's symbols, `write` their text, `pieces` that of each. */
export function bytePairs(symbols, merges) {
  const numbers = new Map(symbols.map((symbol, number) => [symbol, number]));
  const ranks = new Map(merges.map((pair, rank) => [pair, rank]));
  const encoder = new TextEncoder();
  const wordsOf = (text) => text.split(DIGIT).flatMap((part) => part.match(WORD) ?? []);
  const lettersOf = (word) => Array.from(encoder.encode(word), (byte) => CHARACTERS[byte]);
  const read = (word) =>
    merged(
      lettersOf(word).filter((letter) => numbers.has(letter)),
      ranks,
    );
  const write = (chosen) => {
    const bytes = chosen.flatMap((number) => bytesOf(symbols[number], encoder));
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(bytes));
  };
  return {
    read: (text) =>
      wordsOf(text)
        .flatMap(read)
        .map((symbol) => numbers.get(symbol)),
    write,
    pieces: (chosen) => chosen.map((number) => write([number])),
  };
}

/** The pair of neighbours that comes first in the list is merged, until none is in the list. */
function merged(parts, ranks) {
  for (;;) {
    let [best, place] = [Infinity, -1];
    for (let i = 0; i + 1 < parts.length; i++) {
      const rank = ranks.get(`${parts[i]} ${parts[i + 1]}`) ?? Infinity;
      if (rank < best) [best, place] = [rank, i];
    }
    if (place < 0) return parts;
    parts.splice(place, 2, parts[place] + parts[place + 1]);
  }
}

function bytesOf(symbol, encoder) {
  const bytes = [...symbol].map((character) => BYTES.get(character));
  return bytes.includes(undefined) ? [...encoder.encode(symbol)] : bytes;
}
