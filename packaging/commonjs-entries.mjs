import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import process from "node:process";

/**
 * Gives the package in whose folder it runs what its exports name under `require`, in `dist/commonjs`: the types a second
 * time, marked as CommonJS, since TypeScript before 5.8 refuses to `require` what is typed as a module (TS1479); and for
 * each entry a line that requires the module, as Node 20.19 can. The code is there once, so that who requires it and who
 * imports it have the same gate.
 */
const [from, to] = ["dist", "dist/commonjs"];

const types = (await readdir(from, { recursive: true })).filter(
  (file) => file.endsWith(".d.ts") && !file.startsWith("commonjs"),
);
if (!types.includes("index.d.ts"))
  throw new Error(`${process.cwd()}: expected a build in dist, received none`);
for (const file of types) {
  const text = await readFile(join(from, file), "utf8");
  // The map leads to the source by a path that is another from here.
  await put(join(to, file), text.replace(/^\/\/# sourceMappingURL=.*$/m, ""));
}
const { exports: entries } = JSON.parse(await readFile("package.json", "utf8"));
for (const { require: entry, default: module } of Object.values(entries)) {
  // A style sheet is for bundlers.
  if (entry === undefined) continue;
  await put(entry.default, `module.exports = require("${relative(dirname(entry.default), module)}");\n`);
}
await put(join(to, "package.json"), `${JSON.stringify({ type: "commonjs" })}\n`);

/** In one step, and from outside of `dist`: another process may be packing it. */
async function put(target, text) {
  if ((await readFile(target, "utf8").catch(() => undefined)) === text) return;
  const draft = `.commonjs-entries.${process.pid}`;
  await writeFile(draft, text);
  await mkdir(dirname(target), { recursive: true });
  await rename(draft, target);
}
