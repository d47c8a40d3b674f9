// Beam search, as `attn_course.search.beam` does it, which keeps the whole tree to be drawn.

/** The share of the symbols that may be written; the others' is not handed out to them. */
function logsOf(logits, special) {
  const largest = Math.max(...logits);
  const total = logits.reduce((sum, logit) => sum + Math.exp(logit - largest), 0);
  const logs = Array.from(logits, (logit) => logit - largest - Math.log(total));
  logs[special.padding] = logs[special.start] = -Infinity;
  return logs;
}

/** lp(Y) = ((5 + |Y|) / (5 + 1))^alpha of Wu et al. 2016, equation 14. */
export function lengthPenalty(symbols, alpha) {
  return ((5 + symbols) / 6) ** alpha;
}

/** Go on with the `width` likeliest beginnings at each step, and rank those that have ended.
 *
 *  advance(state, symbol)  one step of the model: { state, logits }
 *  Gives { nodes, ended }. A node is { at, parent, depth, symbol, sum, kind }: its number, that of
 *  the node before it, how many symbols it has, the last of them, ln of its probability, and "kept",
 *  "ended" or "cut". Of those cut off, the `spare` best of each step are among the nodes. `ended`
 *  are the numbers of at most `width` nodes, the highest score first. */
export function beamSearch(first, advance, special, options) {
  const { width, alpha = 0, longest = 32, spare = 2 } = options;
  const nodes = [];
  const add = (parent, depth, symbol, sum, kind, state = null) => {
    nodes.push({ at: nodes.length, parent, depth, symbol, sum, kind, state });
    return nodes.at(-1);
  };
  const scoreOf = ({ sum, depth, kind }) =>
    sum / lengthPenalty(depth - (kind === "ended" ? 1 : 0), alpha);
  let live = [add(-1, 0, special.start, 0, "kept", first)];
  let ended = [];
  for (let depth = 1; depth <= longest && live.length; depth++) {
    const grown = live.map((node) => {
      const { state, logits } = advance(node.state, node.symbol);
      return { node, state, logs: logsOf(logits, special) };
    });
    const grownOn = [];
    for (const { node, state, logs } of grown) {
      const end = logs[special.end];
      if (logs.filter((log) => log > end).length < width) {
        ended.push(add(node.at, depth, special.end, node.sum + end, "ended"));
      }
      logs.forEach((log, symbol) => {
        if (symbol !== special.end && log > -Infinity) {
          grownOn.push({ node, state, symbol, sum: node.sum + log });
        }
      });
    }
    ended.sort((a, b) => scoreOf(b) - scoreOf(a));
    ended = ended.slice(0, width);
    grownOn.sort((a, b) => b.sum - a.sum);
    const bestOf = grownOn.slice(0, width + spare);
    const next = bestOf.map(({ node, state, symbol, sum }, rank) =>
      add(node.at, depth, symbol, sum, rank < width ? "kept" : "cut", state),
    );
    live = next.filter(({ kind }) => kind === "kept");
    const hope = live.length ? live[0].sum / lengthPenalty(longest, alpha) : -Infinity;
    if (ended.length === width && scoreOf(ended.at(-1)) >= hope) break;
  }
  // only where none has ended do the unfinished count
  const ranked = ended.length ? ended : [...live].sort((a, b) => scoreOf(b) - scoreOf(a));
  return {
    nodes,
    ended: ranked.map((node) => ({ at: node.at, score: scoreOf(node), sum: node.sum })),
  };
}

/** The symbols from the root to a node, without START and END. */
export function symbolsTo(nodes, at, special) {
  const path = pathTo(nodes, at).map((number) => nodes[number].symbol);
  return path.filter((symbol) => symbol !== special.start && symbol !== special.end);
}

/** The numbers of the nodes from the root to this one. */
export function pathTo(nodes, at) {
  const path = [];
  for (let number = at; number >= 0; number = nodes[number].parent) path.unshift(number);
  return path;
}
