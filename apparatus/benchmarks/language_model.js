// How long a symbol takes in node, on one thread: node apparatus/benchmarks/language_model.js FILE
//
// CPU seconds, since other work on the machine does not lengthen them. The first text is not counted.
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
read();
const [reading, [cache, last]] = await timed(read);
const [writing] = await timed(() => {
  let vector = last;
  for (let n = 0; n < WRITTEN; n++) {
    const scores = logits(model, vector);
    const next = scores.indexOf(scores.reduce((most, score) => Math.max(most, score)));
    [vector] = forward(model, [next], cache);
  }
});
console.log(
  JSON.stringify({
    "CPU seconds to open the file": opening,
    "CPU seconds for each symbol that is read": reading / symbols.length,
    "CPU seconds for each symbol that is written": writing / WRITTEN,
    "MB of weights and of all else": process.memoryUsage().rss / 1e6,
  }),
);
