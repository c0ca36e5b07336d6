import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { main } from "../src/main.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "creditgate-create-"));
  for (const name of ["CREDITGATE_BASE_URL", "CREDITGATE_API_KEY", "npm_config_user_agent"])
    vi.stubEnv(name, "");
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

/** Runs the command in the folder, for a package `app` there; resolves to its exit code and what it printed. */
async function create(...args: string[]): Promise<{ code: number; printed: string }> {
  const lines: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((line) => void lines.push(line));
  const error = vi.spyOn(console, "error").mockImplementation((line) => void lines.push(line));
  try {
    return { code: await main([join(folder, "app"), "--no-install", ...args]), printed: lines.join("\n") };
  } finally {
    log.mockRestore();
    error.mockRestore();
  }
}

const read = (path: string): Promise<string> => readFile(join(folder, "app", path), "utf8");

it("writes an application by the defaults, and says in ten lines what it is and how it starts", async () => {
  const { code, printed } = await create("--yes");
  expect(code).toBe(0);
  expect(printed.split("\n").length).toBeLessThanOrEqual(10);
  expect(printed).toMatch(/^app: Express, .* ledger in memory, usage in a file\n/);
  expect(printed).toMatch(/\n {2}npm run dev$/);
  expect(JSON.parse(await read("package.json"))).toMatchObject({
    name: "app",
    dependencies: { express: "^5.3.0", "@creditgate/express": "^0.1.0", "@creditgate/sqlite": "^0.1.0" },
  });
  expect(await readdir(join(folder, "app"))).toContain(".gitignore");
});

it("puts usage where the ledger is, unless it is told another place", async () => {
  await create("--ledger", "redis");
  expect(await read("src/gate.ts")).toContain("createRedisOutbox({ redis })");
  await rm(join(folder, "app"), { recursive: true });
  await create("--ledger", "redis", "--outbox", "sqlite");
  expect(await read("src/gate.ts")).toMatch(/createRedisStore[\s\S]*createSqliteOutbox/);
});

it("keeps address and key of an existing service in a file for its owner alone", async () => {
  const { code } = await create(
    "--service",
    "existing",
    "--url",
    "https://billing.test",
    "--key",
    "cg_test_local",
  );
  expect(code).toBe(0);
  expect(await read(".env")).toContain(
    "CREDITGATE_BASE_URL=https://billing.test\nCREDITGATE_API_KEY=cg_test_local\n",
  );
  expect((await stat(join(folder, "app/.env"))).mode & 0o777).toBe(0o600);
  expect(await read(".gitignore")).toContain(".env\n");
});

it("installs with the package manager that runs it", async () => {
  vi.stubEnv("npm_config_user_agent", "pnpm/10.0.0 npm/? node/v20");
  expect((await create()).printed).toMatch(/\n {2}pnpm run dev$/);
});

const existing = ["--service", "existing"];
it.each([
  ["an unknown option", ["--colour"], "Unknown option '--colour'"],
  [
    "an unknown value",
    ["--framework", "koa"],
    "--framework koa is unknown: expected express, next, hono, fastify",
  ],
  ["an option without its value", ["--outbox"], "'--outbox <value>' argument missing"],
  ["two folders", ["other"], "expected one folder"],
  [
    "an existing service without a key",
    [...existing, "--url", "https://billing.test"],
    "needs --url and --key",
  ],
  ["no address", [...existing, "--url", "billing", "--key", "cg_test_local"], "--url billing is no address"],
  [
    "a key of two lines",
    [...existing, "--url", "https://a.test", "--key", "cg_test\nlocal"],
    "--key is no API key",
  ],
])("refuses %s in one line, and writes nothing", async (_, args, reason) => {
  const { code, printed } = await create(...args);
  expect(code).toBe(2);
  expect(printed).toContain(reason);
  expect(printed.split("\n")).toHaveLength(1);
  expect(await readdir(folder)).toEqual([]);
});

it("refuses a folder that is not empty, a file, and a name that npm refuses", async () => {
  await mkdir(join(folder, "app"));
  await writeFile(join(folder, "app/notes.txt"), "mine");
  expect(await create()).toEqual({
    code: 2,
    printed: `create-creditgate: ${join(folder, "app")} is not empty: choose another folder`,
  });
  expect(await readdir(join(folder, "app"))).toEqual(["notes.txt"]);

  const error = vi.spyOn(console, "error").mockImplementation(() => {});
  expect(await main([join(folder, "app/notes.txt")])).toBe(2);
  expect(await main([join(folder, "My App")])).toBe(2);
  expect(error.mock.calls.flat()).toEqual([
    expect.stringContaining("is no folder"),
    expect.stringContaining('"My App" is no package name'),
  ]);
  error.mockRestore();
});
