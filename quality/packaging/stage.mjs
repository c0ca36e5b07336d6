import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");

/** Who publishes, and from where. A person fills it in. */
export const identityFile = "quality/packaging/identity.json";
export const identity = JSON.parse(await readFile(join(root, identityFile), "utf8"));

/**
 * Packs packages of `packages/`, as they have been built, into the folder: what npm would pack, with the identity, and
 * without what only this repository needs. Returns the name of each package and its tarball.
 */
export async function stage(folder, packages, { repository, owner, homepage } = identity) {
  const drafts = join(folder, "drafts");
  await mkdir(drafts, { recursive: true });
  const pack = (chosen, ...flags) => {
    const workspaces = chosen.map((name) => `--workspace=packages/${name}`);
    if (chosen.length > 0)
      return run("npm", ["pack", "--pack-destination", drafts, ...flags, ...workspaces], { cwd: root });
  };
  await pack(packages.filter((name) => name !== "dashboard"));
  // Its script builds it, which would empty the folder that others read: `npm run build` has built it.
  await pack(
    packages.filter((name) => name === "dashboard"),
    "--ignore-scripts",
  );
  const tarballs = [];
  for (const file of await readdir(drafts)) {
    if (!file.endsWith(".tgz")) continue;
    const draft = join(drafts, file.slice(0, -4));
    await mkdir(draft);
    await run("tar", ["-xzf", join(drafts, file), "-C", draft]);
    const path = join(draft, "package/package.json");
    const { scripts, ...manifest } = JSON.parse(await readFile(path, "utf8"), (key, value) =>
      key === "@creditgate/source" ? undefined : value,
    );
    if (repository) {
      const directory = `packages/${manifest.name.split("/").at(-1)}`;
      manifest.repository = { type: "git", url: `git+${repository}.git`, directory };
      manifest.bugs = `${repository}/issues`;
    }
    if (owner) manifest.author = owner;
    if (homepage) manifest.homepage = homepage;
    manifest.publishConfig = { access: "public" };
    await writeFile(path, `${JSON.stringify(manifest, null, 2)}\n`);
    await run("tar", ["-czf", join(folder, file), "-C", draft, "package"]);
    tarballs.push([manifest.name, file]);
  }
  await rm(drafts, { recursive: true });
  return tarballs;
}

if (process.argv[1] === import.meta.filename) {
  const [folder = "", ...packages] = process.argv.slice(2);
  console.log(JSON.stringify(await stage(resolve(folder), packages)));
}
