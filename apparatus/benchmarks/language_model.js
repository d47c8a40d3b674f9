// How long a symbol takes in node, on one thread: node apparatus/benchmarks/language_model.js FILE [WIDE]
//
// WIDE is packed.wat, assembled and in base64; without it, all is done in JavaScript. CPU seconds, the
// least of three, since other work on the machine hardly lengthens them; the first text is not counted.
import { openAsBlob } from "node:fs";
import {
  emptyCache,
  forward,
  logits,
  openModel,
} from "../../attn_course/views/widgets/shared/language_model.js";

const TEXT =
  "Attention is a weighted average of values, and its weights are read from keys, one for each place.";
const WRITTEN = 10;

function seconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

async function timed(does) {
  const start = seconds();
  const result = await does();
  return [seconds() - start, result];
}

const [, , file, assembled] = process.argv;
const wide = assembled && (await WebAssembly.compile(Buffer.from(assembled, "base64")));
const blob = await openAsBlob(file);
const [opening, model] = await timed(() => openModel(blob.stream(), blob.size, undefined, wide));
const symbols = model.text.read(TEXT);
const read = () => {
  const cache = emptyCache(model);
  return [cache, forward(model, symbols, cache).at(-1)];
};
const write = (cache, last) => {
  let vector = last;
  for (let n = 0; n < WRITTEN; n++) {
    const scores = logits(model, vector);
    const next = scores.indexOf(scores.reduce((most, score) => Math.max(most, score)));
    [vector] = forward(model, [next], cache);
  }
};
read();
let found = { read: Infinity, written: Infinity };
for (let n = 0; n < 3; n++) {
  const [reading, [cache, last]] = await timed(read);
  const [writing] = await timed(() => write(cache, last));
  found = {
    read: Math.min(found.read, reading / symbols.length),
    written: Math.min(found.written, writing / WRITTEN),
  };
}
console.log(JSON.stringify({ open: opening, ...found, rss: process.memoryUsage().rss / 1e6 }));
