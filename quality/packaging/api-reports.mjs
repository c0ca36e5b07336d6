import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import process from "node:process";
import { CompilerState, Extractor, ExtractorConfig } from "@microsoft/api-extractor";

/**
 * Writes `api.md` of each package: the names and signatures that its entries export, as they have been built. With `--check`
 * it writes nothing, and fails if a report would be another one.
 */
const root = resolve(import.meta.dirname, "../..");
const isCheck = process.argv.includes("--check");

const entries = [];
for (const name of await readdir(join(root, "packages"))) {
  const folder = join(root, "packages", name);
  const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  for (const [entry, { types }] of Object.entries(manifest.exports)) {
    if (types !== undefined) entries.push({ folder, manifest, entry, types: join(folder, types) });
  }
}

const drafts = await mkdtemp(join(tmpdir(), "creditgate-api-"));
const reports = new Map();
try {
  // All entries are one program: it reads the libraries of others once.
  let compilerState;
  for (const one of entries) {
    const config = configOf(one);
    const additionalEntryPoints = entries.map(({ types }) => types);
    compilerState ??= CompilerState.create(config, { additionalEntryPoints });
    const problems = [];
    const messageCallback = (message) => {
      if (message.logLevel === "error") problems.push(message.text);
      message.handled = true;
    };
    Extractor.invoke(config, { localBuild: true, compilerState, messageCallback });
    if (problems.length > 0) throw new Error(`${one.types}: ${problems.join("\n")}`);
    const text = await readFile(config.reportFilePath, "utf8");
    const file = join(one.folder, "api.md");
    const specifier = join(one.manifest.name, one.entry);
    const before =
      reports.get(file) ?? `# API of ${one.manifest.name}\n\n\`npm run api\` writes this file.\n`;
    reports.set(file, `${before}\n## ${specifier}\n\n${codeOf(text, before)}`);
  }
} finally {
  await rm(drafts, { recursive: true });
}

const changed = [];
for (const [file, text] of reports) {
  if ((await readFile(file, "utf8").catch(() => undefined)) === text) continue;
  changed.push(file);
  if (!isCheck) await writeFile(file, text);
}
for (const file of changed) console.log(`${isCheck ? "out of date" : "written"}: ${relative(root, file)}`);
if (isCheck && changed.length > 0) {
  console.log("The public API has changed. Review it: npm run api && git diff '*/api.md'");
  process.exitCode = 1;
}

function configOf({ folder, manifest, entry, types }) {
  const compilerOptions = {
    target: "es2022",
    module: "nodenext",
    lib: ["es2023", "dom", "dom.iterable"],
    types: ["node"],
    strict: true,
    skipLibCheck: true,
  };
  const quiet = { default: { logLevel: "none" } };
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(folder, "package.json"),
    packageJson: manifest,
    projectFolderLookupToken: root,
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: types,
      newlineKind: "lf",
      compiler: { overrideTsconfig: { compilerOptions, files: [types] } },
      apiReport: {
        enabled: true,
        // What shapes the API without a name outside. `parts` are for other packages of ours alone.
        includeForgottenExports: entry !== "./parts",
        reportFileName: `${join(manifest.name, entry).replace(/\W+/g, "-")}.api.md`,
        reportFolder: drafts,
        reportTempFolder: join(drafts, "temp"),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: { logLevel: "error" } },
        extractorMessageReporting: quiet,
        tsdocMessageReporting: quiet,
      },
    },
  });
}

/** The declarations: all of them are public, and their documentation is in the source. */
function codeOf(report, before) {
  const [, code = ""] = /^```ts\n([\s\S]*?)^```$/m.exec(report) ?? [];
  const isNoise = (line) => /^\s*\/\/ (?:@public|\(undocumented\)|\(No @package)/.test(line);
  const lines = code.split("\n").filter((line) => !isNoise(line));
  const known = new Set(before.replaceAll(/^export /gm, "").split("\n\n"));
  const blocks = lines
    .join("\n")
    .split(/\n{2,}/)
    .map((block) => block.trim())
    // An entry before it has shown what is not exported here.
    .filter((block) => block !== "" && !known.has(block));
  return `\`\`\`ts\n${blocks.join("\n\n")}\n\`\`\`\n`;
}
