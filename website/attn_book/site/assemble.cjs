// Reads { wabt, name, text }, a WebAssembly module as text, and writes it assembled, as base64 in JSON;
// see node.py.
const asked = JSON.parse(require("node:fs").readFileSync(0, "utf8"));

require(asked.wabt)()
  .then((wabt) => {
    const { buffer } = wabt.parseWat(asked.name, asked.text).toBinary({});
    process.stdout.write(JSON.stringify(Buffer.from(buffer).toString("base64")));
  })
  .catch(({ message }) => {
    process.stderr.write(message); // the whole of wabt would be quoted as well
    process.exitCode = 1;
  });
