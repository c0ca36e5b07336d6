import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { onTestFinished, vi } from "vitest";
import { freePort } from "../free-port.ts";

const root = resolve(import.meta.dirname, "../..");
const run = promisify(execFile);

/** The files that a page shows, by the paths that their first lines name. */
export function filesOf(page: string): ReadonlyMap<string, string> {
  const markdown = readFileSync(join(root, page), "utf8");
  const blocks = markdown.matchAll(/^```ts\n(\/\/ ([\w./-]+\.ts)\b[\s\S]*?)^```$/gm);
  return new Map(Array.from(blocks, ([, code = "", path = ""]) => [path, code]));
}

/** A folder with the files of pages, and nothing but what the pages say that one installs. */
export class PageFolder {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** With what is installed: modules of this repository by name, and others as files. */
  static async create(
    installed: readonly string[],
    files: Readonly<Record<string, string>> = {},
  ): Promise<PageFolder> {
    const folder = new PageFolder(await mkdtemp(join(tmpdir(), "creditgate-pages-")));
    await mkdir(join(folder.path, "node_modules"));
    for (const name of installed)
      await symlink(join(root, "node_modules", name), join(folder.path, "node_modules", name));
    await folder.write(new Map(Object.entries({ "package.json": '{ "type": "module" }', ...files })));
    return folder;
  }

  async write(files: ReadonlyMap<string, string>, place = ""): Promise<void> {
    for (const [path, code] of files) {
      const file = join(this.path, place, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, code);
    }
  }

  /** Compiles what is there, strictly. */
  async compile(): Promise<void> {
    const compilerOptions = {
      ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
      ...{ verbatimModuleSyntax: true, skipLibCheck: true, types: ["node"], target: "es2023" },
      // As Next.js has them; the others write the endings that Node needs.
      ...{ module: "esnext", moduleResolution: "bundler" },
    };
    const config = { compilerOptions, include: ["**/*.ts"], exclude: ["node_modules"] };
    await this.write(new Map([["tsconfig.json", JSON.stringify(config)]]));
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    await run(process.execPath, [tsc, "-p", "."], { cwd: this.path }).catch((error) => {
      throw new Error(error.stdout);
    });
  }

  /** Starts a file in a process of its own, on a port of its own, until the test is over. */
  async start(
    file: string,
    environment: NodeJS.ProcessEnv,
  ): Promise<{ readonly url: string; readonly child: ChildProcess; readonly printed: string[] }> {
    const port = await freePort();
    const child: ChildProcess = spawn(process.execPath, [file], {
      cwd: this.path,
      env: { ...process.env, ...environment, PORT: `${port}` },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const printed: string[] = [];
    child.stdout?.on("data", (text) => printed.push(String(text)));
    const ended = once(child, "close");
    onTestFinished(async () => {
      child.kill();
      await ended;
    });
    const url = `http://127.0.0.1:${port}`;
    await vi.waitUntil(() => fetch(url).then(Boolean, () => false), { timeout: 30_000 });
    return { url, child, printed };
  }
}
