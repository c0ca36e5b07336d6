import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import type { RunningServer } from "@creditgate/conformance";
import { startProcess } from "./adapters-process.ts";
import { packInto } from "./tarballs.ts";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");
const trial = join(import.meta.dirname, "next-trial");
const environment = { NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" } as const;

/** Earlier majors that the adapter supports, and their React. The present ones are those of the workspace. */
const earlier: Readonly<Record<string, { readonly next: string; readonly react: string }>> = {
  14: { next: "14.2.35", react: "18.3.1" },
  15: { next: "15.5.28", react: "19.3.1" },
};
/** They would install these themselves, and newer ones than they can read. */
const typescript = { typescript: "5.9.3", "@types/react": "19.3.0", "@types/node": "20.19.43" };

/** The app on trial, built with this major of Next.js. */
export class NextApp {
  readonly #folder: string;
  readonly #next: string;

  private constructor(folder: string, modules: string) {
    this.#folder = folder;
    this.#next = join(modules, "node_modules/next/dist/bin/next");
  }

  /** With more files, by their paths, for this build only. */
  static async build(major: string | undefined, more: ReadonlyMap<string, string>): Promise<NextApp> {
    const app = major === undefined ? new NextApp(trial, root) : await NextApp.#install(major);
    const files = Array.from(more, ([path, code]) => ({ file: join(app.#folder, path), code }));
    for (const { file, code } of files) {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, code);
    }
    await run(process.execPath, [app.#next, "build"], {
      cwd: app.#folder,
      env: { ...process.env, ...environment },
    })
      .catch(({ stdout, stderr }) => {
        throw new Error(`next build failed:\n${stdout}\n${stderr}`);
      })
      // And the types of them, which a type check would read.
      .finally(async () => {
        const written = [...files.map(({ file }) => file), join(app.#folder, ".next/types")];
        await Promise.all(written.map((file) => rm(file, { recursive: true, force: true })));
      });
    return app;
  }

  /** Elsewhere, with the packed packages, so that no module of the workspace's Next.js is found. */
  static async #install(major: string): Promise<NextApp> {
    const versions = earlier[major];
    if (versions === undefined) {
      throw new Error(`CREDITGATE_NEXT: expected ${Object.keys(earlier).join(" or ")}, received ${major}`);
    }
    const folder = await mkdtemp(join(tmpdir(), `creditgate-next-${major}-`));
    const source = (path: string) => ![".next", "next-env.d.ts", "tsconfig.json"].includes(basename(path));
    await cp(trial, folder, { recursive: true, filter: source });
    await writeFile(
      join(folder, "middleware.ts"),
      'export { proxy as middleware } from "./proxy.ts";\nexport const config = { matcher: "/hinted" };\n',
    );
    const tarballs = await packInto(folder, ["client", "core", "fleet", "conformance", "next"]);
    const ours = Object.fromEntries(Array.from(tarballs, ([name, file]) => [name, `file:${file}`]));
    const dependencies = { ...ours, ...versions, "react-dom": versions.react, ...typescript };
    const manifest = { private: true, type: "module", dependencies };
    await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
    await run("npm", ["install", "--no-audit", "--no-fund"], { cwd: folder });
    return new NextApp(folder, folder);
  }

  /** `next start` on a free port, with this environment. */
  start(variables: Record<string, string>): Promise<RunningServer> {
    return startProcess({
      program: process.execPath,
      options: [this.#next, "start", "--hostname", "127.0.0.1", "--port", "0"],
      environment: { ...environment, ...variables },
      folder: this.#folder,
    });
  }

  /** Removes what was installed for it. */
  async remove(): Promise<void> {
    if (this.#folder !== trial) await rm(this.#folder, { recursive: true });
  }

  /** The id by which a browser calls the one action of the app. */
  async actionId(): Promise<string> {
    const manifest = await readFile(
      join(this.#folder, ".next/server/server-reference-manifest.json"),
      "utf8",
    );
    const [id, ...others] = Object.keys(JSON.parse(manifest).node);
    if (id === undefined || others.length > 0) {
      throw new Error(`expected one action in the built app, received ${others.length + (id ? 1 : 0)}`);
    }
    return id;
  }
}
