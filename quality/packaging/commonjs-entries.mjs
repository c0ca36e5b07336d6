import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import process from "node:process";

/**
 * Gives the package in whose folder it runs what its exports name under `require`, in `dist/commonjs`. Code and types
 * are there once, so that a caller who requires the package and one who imports it have the same gate and the same types:
 * each entry is a line that requires the module, as Node 20.19 can, and a list of types that names those of the module.
 * A mere `export … from` does not do: TypeScript before 5.8 refuses to `require` what is typed as a module (TS1479).
 */
const folder = "dist/commonjs";

const written = new Set();
const { exports: entries } = JSON.parse(await readFile("package.json", "utf8"));
for (const { require: entry, default: module, types } of Object.values(entries)) {
  // A style sheet is for bundlers.
  if (entry === undefined) continue;
  const from = relative(dirname(entry.default), module);
  await put(entry.default, `module.exports = require("${from}");\n`);
  await put(entry.types, `${(await typeLines(types, from)).join("\n")}\n`);
}
await put(join(folder, "package.json"), `${JSON.stringify({ type: "commonjs" })}\n`);
// Of an earlier version, whose entries were others.
for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
  const file = join(entry.parentPath, entry.name);
  if (entry.isFile() && !written.has(file)) await rm(file, { force: true });
}

/** One line for each name that the entry exports. */
async function typeLines(file, from) {
  const attributes = '{ "resolution-mode": "import" }';
  const module = `import("${from}", { with: ${attributes} })`;
  const lines = [];
  for (const { name, isType, declaredIn } of await exportsOf(file)) {
    if (isType) {
      lines.push(`export type { ${name} } from "${from}" with ${attributes};`);
      continue;
    }
    lines.push(`export declare const ${name}: typeof ${module}.${name};`);
    const text = await readFile(declaredIn, "utf8");
    const asClass = new RegExp(`^export declare (?:abstract )?class ${name}(?:<([^<>]+)>)?[ {]`, "m").exec(
      text,
    );
    if (asClass === null) continue;
    const [, parameters] = asClass;
    const names = parameters?.split(",").map((parameter) => parameter.trim().split(" ", 1));
    const [declared, given] = names === undefined ? ["", ""] : [`<${parameters}>`, `<${names.join(", ")}>`];
    lines.push(`export type ${name}${declared} = ${module}.${name}${given};`);
  }
  return lines;
}

/** Each exported name, whether it is a type alone, and the file that declares it. */
async function exportsOf(file) {
  const text = await readFile(file, "utf8").catch((cause) => {
    throw new Error(`${process.cwd()}: expected a build in dist, received no ${file}`, { cause });
  });
  if (/^export (?:\*|default|=)/m.test(text)) {
    throw new Error(`${file}: expected named exports, received *, default or =`);
  }
  const found = [];
  for (const [, type, name] of text.matchAll(
    /^export (?:declare )?(?:abstract )?(?:(interface|type)|\w+) (\w+)/gm,
  )) {
    found.push({ name, isType: type !== undefined, declaredIn: file });
  }
  for (const [, type, names, from] of text.matchAll(/^export (type )?\{([^}]*)\} from "(.*)";$/gm)) {
    const target = join(dirname(file), from.replace(/\.[jt]sx?$/, ".d.ts"));
    for (const written of names.split(",").map((name) => name.trim())) {
      if (written === "") continue;
      const isType = type !== undefined || written.startsWith("type ");
      // A type may have another name outside; a value that had one would be found nowhere.
      const name = isType ? written.split(" ").at(-1) : written;
      found.push({ name, isType, declaredIn: isType ? target : await declarationOf(target, name) });
    }
  }
  return found;
}

async function declarationOf(file, name) {
  const found = (await exportsOf(file)).find((one) => one.name === name);
  if (found === undefined) throw new Error(`${file}: expected an export ${name}, received none`);
  return found.declaredIn;
}

/** In one step, and from outside of `dist`: another process may be packing it. */
async function put(path, text) {
  const target = join(path);
  written.add(target);
  if ((await readFile(target, "utf8").catch(() => undefined)) === text) return;
  const draft = `.commonjs-entries.${process.pid}`;
  await writeFile(draft, text);
  await mkdir(dirname(target), { recursive: true });
  await rename(draft, target);
}
