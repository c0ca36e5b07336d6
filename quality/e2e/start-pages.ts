import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { filesOf } from "./page-files.ts";

const root = resolve(import.meta.dirname, "../..");
const text = (path: string) => readFileSync(join(root, path), "utf8");
const firstOf = (markdown: string, pattern: RegExp) => pattern.exec(markdown)?.[1] ?? "";

/** A page to start from: its files, by their path, and what its reader types and sees. */
export interface StartPage {
  readonly files: ReadonlyMap<string, string>;
  readonly requests: string;
  readonly shown: string;
}

/** The pages by name; `""` is the one that lists them. */
export const startPages: ReadonlyMap<string, StartPage> = new Map(
  ["start.md", ...readdirSync(join(root, "docs/start")).map((file) => `start/${file}`)].map((file) => {
    const markdown = text(`docs/${file}`);
    return [
      /^start\/?(.*)\.md$/.exec(file)?.[1] ?? "",
      {
        files: filesOf(`docs/${file}`),
        requests: firstOf(markdown, /^```sh\n(ask\(\)[\s\S]*?)^```$/m),
        shown: firstOf(markdown, /^```sh\nask\(\)[\s\S]*?^```$\n+^```\n([\s\S]*?)^```$/m),
      },
    ] as const;
  }),
);

export function startPage(name: string): StartPage {
  const page = startPages.get(name);
  if (page === undefined) throw new Error(`expected docs/start/${name}.md, found none`);
  return page;
}

/** The fixture that the pages share. */
export const startFixture = JSON.parse(firstOf(text("docs/start.md"), /^```json\n([\s\S]*?)^```$/m));

/** Types the requests of the page, for a customer of the test's and an application at `url`, and expects what the page shows. */
export async function expectAsShown(
  { requests, shown }: StartPage,
  { url, customer, environment }: { url: string; customer: string; environment: NodeJS.ProcessEnv },
): Promise<void> {
  const typed = requests
    .replaceAll("http://127.0.0.1:3000", url)
    .replaceAll("bob", customer)
    .replaceAll("payment-1", `payment-of-${customer}`);
  expect(typed).toContain(url);
  const programs = [
    `npx() { shift 3; '${process.execPath}' '${join(root, "packages/control-plane/bin/creditgate.js")}' "$@"; }`,
    `psql() { '${process.execPath}' '${join(import.meta.dirname, "readme/psql.mjs")}' "$@"; }`,
  ];
  const script = [...programs, typed].join("\n");
  const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", script], {
    env: { ...process.env, ...environment },
  });
  const lines = stdout.trim().split("\n");
  const expected = shown.trim().split("\n");
  expect(lines).toHaveLength(expected.length);
  for (const [at, line] of expected.entries()) {
    const parts = line.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    expect(lines[at]).toMatch(new RegExp(`^${parts.join(".*")}$`));
  }
}
