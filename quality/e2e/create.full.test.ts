import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applicationOf } from "../../packages/create-creditgate/src/application.ts";
import { type Choices, valuesOf } from "../../packages/create-creditgate/src/choices.ts";
import { type RedisServer, startRedis } from "../../packages/redis/test/redis-server.ts";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");
const tsc = join(root, "node_modules/typescript/bin/tsc");
const biome = join(root, "node_modules/@biomejs/biome/bin/biome");

/** `npm run test:create` tries all of them, and each store as it runs. */
const isAll = process.env.CREDITGATE_CREATE === "all";

const everything = valuesOf("framework").flatMap((framework) =>
  valuesOf("service").flatMap((service) =>
    valuesOf("ledger").flatMap((ledger) =>
      valuesOf("outbox").map((outbox): Choices => ({ framework, service, ledger, outbox })),
    ),
  ),
);
/** Else one of seven, in which all values meet all others. */
const combinations = everything.filter((_, at) => isAll || at % 7 === 0);
const nameOf = (choices: Choices): string => Object.values(choices).join("-");

/** All applications, with what is installed here. */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "creditgate-create-"));
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  for (const choices of combinations) {
    const name = nameOf(choices);
    const files = applicationOf({ ...choices, name, url: "http://127.0.0.1:4000", key: "cg_test_local" });
    for (const [path, text] of files) {
      await mkdir(dirname(join(folder, name, path)), { recursive: true });
      await writeFile(join(folder, name, path), text);
    }
  }
});
afterAll(() => rm(folder, { recursive: true }));

/** What the command says of the applications, or nothing. */
async function complaintsOf(program: string, ...args: string[]): Promise<string> {
  const options = { cwd: folder, maxBuffer: 2 ** 26 };
  return run(process.execPath, [program, ...args], options).then(
    () => "",
    ({ stdout, stderr }) => `${stdout}${stderr}`,
  );
}

describe("every application that `npm create creditgate` writes", () => {
  it("compiles strictly", async () => {
    const template = join(root, "packages/create-creditgate/templates/node/tsconfig.json");
    const { compilerOptions } = JSON.parse(await readFile(template, "utf8"));
    // One program: it reads the libraries once. Next.js has the types of browsers, the others have none that they lack.
    const options = { ...compilerOptions, lib: ["es2023", "dom", "dom.iterable"], noUnusedLocals: true };
    await writeFile(join(folder, "package.json"), '{ "type": "module" }');
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions: options, include: ["*/**/*.ts"], exclude: ["node_modules"] }),
    );
    expect(everything).toHaveLength(144);
    expect(await complaintsOf(tsc, "-p", ".")).toBe("");
  });

  it("is written as this repository is", async () => {
    await writeFile(join(folder, "biome.json"), await readFile(join(root, "biome.json"), "utf8"));
    // The rules for React take `usePostgres` for a hook.
    const options = ["--error-on-warnings", "--vcs-enabled=false", "--skip=correctness/useHookAtTopLevel"];
    expect(await complaintsOf(biome, "check", ...options, ...combinations.map(nameOf))).toBe("");
  });

  it("has no trace of its template, and what it needs in versions", async () => {
    for (const choices of combinations) {
      const files = applicationOf({ ...choices, name: "app" });
      const text = [...files.values()].join("\n");
      expect(text.match(/\/\/\?|%\w+%|undefined\b(?=")/)).toBeNull();
      const { dependencies, devDependencies } = JSON.parse(files.get("package.json") ?? "");
      const installed = { ...dependencies, ...devDependencies };
      for (const [, name = ""] of text.matchAll(/ from "((?:@[^/"]+\/)?[^./"][^/"]*)/g)) {
        if (!name.startsWith("node:") && name !== "@ai-sdk/openai") expect(installed).toHaveProperty([name]);
      }
      for (const version of Object.values(installed)) expect(version).toMatch(/^\^\d+\.\d+\.\d+$/);
    }
  });
});

const started = combinations.filter(({ framework, service, ledger, outbox }) => {
  const name = nameOf({ framework, service, ledger, outbox });
  if (ledger === "memory") {
    // Without a shared ledger an outbox needs the name of its process.
    if (!isAll) return ["express-embedded-memory-sqlite", "express-existing-memory-postgres"].includes(name);
    return outbox === "sqlite" || (outbox !== "memory" && (framework === "express" || framework === "next"));
  }
  return (
    isAll &&
    outbox === ledger &&
    (framework === "express" || (framework === "next" && service === "embedded"))
  );
});

describe("the tests of an application", () => {
  let redis: RedisServer | undefined;
  beforeAll(async () => {
    if (isAll) redis = await startRedis("--appendonly", "yes");
  });
  afterAll(() => redis?.stop());

  it.each(started.map(nameOf))(
    "pass: %s",
    async (name) => {
      const args = ["--import", "tsx", "--test", "--test-reporter=tap", "tests/chat.test.ts"];
      const env = {
        ...process.env,
        PATH: [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter),
        REDIS_URL: `redis://127.0.0.1:${redis?.port}`,
      };
      const { stdout } = await run(process.execPath, args, { cwd: join(folder, name), env }).catch(
        (error) => error,
      );
      expect(stdout).toMatch(/^# fail 0$/m);
      expect(stdout).toMatch(/^ok \d+ - streams an answer to alice/m);
      expect(stdout).toMatch(/^ok \d+ - answers 402 to bob/m);
    },
    180_000,
  );
});
