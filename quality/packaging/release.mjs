import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { parseArgs, promisify } from "node:util";
import { identity, identityFile, stage } from "./stage.mjs";

/**
 * `npm run release` builds the tarballs of a release in `dist/release` and checks them; with `--publish` it then publishes them,
 * and with `--versions` it does nothing but write new versions and the changelog from `.changeset`.
 * `npm run release:rehearse` is `--rehearse`: it publishes to a registry of its own and installs from there (rehearse.mjs).
 * Each step prints one line. The first that fails ends the command with 1.
 */
const exec = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");
const tools = join(root, "quality/packaging/rehearsal");
const folder = join(root, "dist/release");
const run = (command, args, options) => exec(command, args, { cwd: root, maxBuffer: 2 ** 28, ...options });
const attw = pathToFileURL(join(tools, "node_modules/@arethetypeswrong/core/dist/index.js")).href;
const tool = (name) => join(tools, "node_modules/.bin", name);

const { values: flags } = parseArgs({
  options: {
    publish: { type: "boolean" },
    versions: { type: "boolean" },
    rehearse: { type: "boolean" },
    full: { type: "boolean" },
    serve: { type: "boolean" },
  },
});

/** Most kilobytes of a tarball; what is not named is an adapter or a store. */
const limits = {
  "control-plane": 450,
  dashboard: 400,
  core: 300,
  fleet: 80,
  conformance: 80,
  admin: 95,
  ai: 80,
  client: 80,
  other: 32,
};

const started = Date.now();
/** A failure ends the command, unless the steps after it need nothing of this one. */
async function step(name, work, { goesOn = false } = {}) {
  const from = Date.now();
  const seconds = () => ((Date.now() - from) / 1_000).toFixed(1);
  try {
    const result = (await work()) ?? "";
    console.log(`ok      ${name}: ${result} (${seconds()} s)`);
  } catch ({ stdout = "", stderr = "", message }) {
    console.log(`failed  ${name}: ${[message, stdout, stderr].join("\n").trim()} (${seconds()} s)`);
    if (!goesOn) process.exit(1);
    process.exitCode = 1;
  }
}

const missing = Object.keys(identity).filter((field) => identity[field] === "");
if (flags.publish && missing.length > 0) {
  console.error(`release: nothing is published: ${identityFile} lacks ${missing.join(", ")}. Fill it in.`);
  process.exit(1);
}

await step("tools", async () => {
  const [wanted, installed] = [join(tools, "package-lock.json"), join(tools, "node_modules/.installed")];
  const lock = await readFile(wanted, "utf8");
  if ((await readFile(installed, "utf8").catch(() => undefined)) === lock) return "installed before";
  await run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: tools });
  await writeFile(installed, lock);
  return "in quality/packaging/rehearsal";
});

if (flags.versions) {
  await step("versions", writeVersions);
  process.exit(0);
}

const packages = (await readdir(join(root, "packages"))).filter((name) =>
  existsSync(join(root, "packages", name, "package.json")),
);
let tarballs;
await step("build", () => run("npm", ["run", "--silent", "build"]).then(() => `${packages.length} packages`));
await step("pack", async () => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  // A rehearsal publishes as if the file had been filled in.
  const example = {
    repository: "https://git.example/creditgate",
    owner: "Rehearsal",
    homepage: "https://creditgate.example",
  };
  tarballs = await stage(folder, packages, flags.rehearse && missing.length > 0 ? example : identity);
  return `${tarballs.length} tarballs in dist/release`;
});
await step("contents", () => each("licence and README in each; no tests, maps, sources", contents));
await step("types", () => each("attw: every entry resolves, for import and require", types));
await step("entries", () => each("publint, strict", entries));
await step("sizes", sizes);
await step("unused exports", unusedExports);
await step("SBOM", bill);

if (flags.rehearse) {
  const { rehearse } = await import("./rehearse.mjs");
  await rehearse({ step, run, tool, folder, packages, tarballs, ...flags });
  console.log(`rehearsed in ${Math.round((Date.now() - started) / 1_000)} s`);
} else if (flags.publish) {
  for (const [name, file] of tarballs) {
    await step(`publish ${name}`, () =>
      run("npm", ["publish", join(folder, file)]).then(({ stdout }) => stdout.trim()),
    );
  }
} else if (missing.length > 0) {
  console.log(`to publish, fill in ${missing.join(", ")} in ${identityFile}`);
}

async function each(meaning, check) {
  for (const [name, file] of tarballs) {
    const problems = await check(join(folder, file), name);
    if (problems.length > 0) throw new Error([name, ...problems].join("\n  "));
  }
  return meaning;
}

async function contents(tarball) {
  const files = (await run("tar", ["-tzf", tarball])).stdout.trim().split("\n");
  const absent = ["LICENSE", "README.md", "package.json"].filter(
    (file) => !files.includes(`package/${file}`),
  );
  // What an application is made from has tests of its own.
  const ours = files.filter((file) => !file.startsWith("package/templates/"));
  const superfluous = ours.filter((file) => /\.test\.|\/(?:test|src)\/|\.map$|\.tsbuildinfo$/.test(file));
  return [...absent.map((file) => `no ${file}`), ...superfluous];
}

async function types(tarball) {
  const { checkPackage, createPackageFromTarballData } = await import(attw);
  // A style sheet has no types.
  const options = { excludeEntrypoints: ["./style.css"] };
  const { problems = [] } = await checkPackage(
    createPackageFromTarballData(await readFile(tarball)),
    options,
  );
  return problems.map((problem) => JSON.stringify(problem));
}

async function entries(tarball) {
  const [{ publint }, { formatMessage }] = await Promise.all([import("publint"), import("publint/utils")]);
  const { buffer } = await readFile(tarball);
  const { messages, pkg } = await publint({ strict: true, pack: { tarball: buffer } });
  return messages.map((message) => formatMessage(message, pkg));
}

async function sizes() {
  const found = [];
  for (const [name, file] of tarballs) {
    const kilobytes = (await stat(join(folder, file))).size / 1_000;
    const limit = limits[name.split("/").at(-1)] ?? limits.other;
    if (kilobytes > limit) throw new Error(`${name}: ${Math.ceil(kilobytes)} kB, at most ${limit}`);
    found.push(`${name.split("/").at(-1)} ${Math.ceil(kilobytes)}`);
  }
  return `kB: ${found.join(", ")}`;
}

async function unusedExports() {
  const chosen = packages.flatMap((name) => ["--workspace", `packages/${name}`]);
  // It ends with 1 if it has found something, also in tests, whose runner it does not know.
  const args = ["--include", "exports,types", "--no-progress", "--reporter", "json", ...chosen];
  const { stdout } = await run(tool("knip"), args).catch((error) => error);
  const found = JSON.parse(stdout).issues.filter(({ file }) => file.includes("/src/"));
  const unused = found.map(
    ({ file, exports, types }) => `${file}: ${[...exports, ...types].map(({ name }) => name)}`,
  );
  if (unused.length > 0) throw new Error(unused.join("\n"));
  return "none";
}

/** What an installation of all packages brings along, without the frameworks of the application, in the form of CycloneDX. */
async function bill() {
  const all = join(folder, "all");
  await mkdir(all);
  const dependencies = Object.fromEntries(tarballs.map(([name, file]) => [name, `file:../${file}`]));
  const { version } = JSON.parse(await readFile(join(root, "packages/core/package.json"), "utf8"));
  const manifest = { name: "creditgate", version, private: true, dependencies };
  await writeFile(join(all, "package.json"), JSON.stringify(manifest));
  const lock = ["--package-lock-only", "--legacy-peer-deps"];
  await run("npm", ["install", ...lock, "--prefer-offline", "--no-audit", "--no-fund"], { cwd: all });
  const { stdout } = await run("npm", ["sbom", ...lock, "--sbom-format", "cyclonedx"], { cwd: all });
  await rm(all, { recursive: true });
  await writeFile(join(folder, "sbom.cdx.json"), stdout);
  return `${JSON.parse(stdout).components.length} components in dist/release/sbom.cdx.json`;
}

/** Changesets counts the versions; one changelog for all packages, since they have one version. */
async function writeVersions() {
  const status = join(root, "dist/changesets.json");
  await mkdir(join(root, "dist"), { recursive: true });
  await run(tool("changeset"), ["status", "--output", "dist/changesets.json"]);
  const { changesets } = JSON.parse(await readFile(status, "utf8"));
  if (changesets.length === 0) throw new Error(".changeset has no change: write one, or run npx changeset");
  const before = await versionOf();
  await run(tool("changeset"), ["version"]);
  const version = await versionOf();
  // Where a version is written that npm does not see.
  const operations = "packages/control-plane/operations/kubernetes";
  for (const file of [
    "packages/core/src/values/version.ts",
    `${operations}/creditgate.yaml`,
    `${operations}/migration.yaml`,
  ]) {
    const text = await readFile(join(root, file), "utf8");
    await writeFile(join(root, file), text.replaceAll(before, version));
  }
  const lines = changesets.map(({ summary, releases }) => {
    const names = releases.map(({ name, type }) => `${name.replace("@creditgate/", "")} ${type}`);
    return `- ${summary.trim().replaceAll("\n", "\n  ")} (${names.join(", ")})`;
  });
  const changelog = join(root, "CHANGELOG.md");
  const [head = "", ...rest] = (await readFile(changelog, "utf8")).split(/^(?=## )/m);
  await writeFile(changelog, [head, `## ${version}\n\n${lines.join("\n")}\n\n`, ...rest].join(""));
  await run("npm", ["install", "--package-lock-only", "--no-audit", "--no-fund"]);
  return `${before} → ${version}, CHANGELOG.md`;
}

async function versionOf() {
  return JSON.parse(await readFile(join(root, "packages/core/package.json"), "utf8")).version;
}
