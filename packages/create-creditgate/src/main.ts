import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { password, select, text } from "@clack/prompts";
import { type ApplicationOptions, applicationOf } from "./application.ts";
import { type Choices, type Question, questions, valuesOf } from "./choices.ts";

const usage = `npm create creditgate [folder] -- [options]

  --framework  ${valuesOf("framework").join(", ")}
  --service    ${valuesOf("service").join(", ")}
  --ledger     ${valuesOf("ledger").join(", ")}
  --outbox     ${valuesOf("outbox").join(", ")}
  --url, --key address and API key of the existing service; or CREDITGATE_BASE_URL, CREDITGATE_API_KEY
  --yes        asks nothing: the default for what is not given
  --no-install leaves the dependencies to you
`;

/** Wrong input, which one line explains. */
class Refusal extends Error {}

/** Runs the command; resolves to its exit code: 2 for wrong input, 1 if the dependencies cannot be installed. */
export async function main(args: readonly string[]): Promise<number> {
  try {
    return await create(args);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.error(`create-creditgate: ${error.message}`);
    return 2;
  }
}

async function create(args: readonly string[]): Promise<number> {
  const { values, positionals } = parsed(args);
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const folder = resolve(positionals[0] ?? "creditgate-app");
  const name = nameOf(folder);
  refuseFull(folder);
  const isAsking = !values.yes && process.stdin.isTTY === true;
  if (isAsking) console.log("Four questions. Enter takes the first answer.\n");
  const framework = await choose("framework", values.framework, isAsking);
  const service = await choose("service", values.service, isAsking);
  const ledger = await choose("ledger", values.ledger, isAsking);
  const outbox = await choose("outbox", values.outbox, isAsking, ledger === "memory" ? "sqlite" : ledger);
  const options: ApplicationOptions = { name, framework, service, ledger, outbox };
  if (service === "existing") Object.assign(options, await existing(values, isAsking));

  for (const [path, content] of applicationOf(options)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content, path === ".env" ? { mode: 0o600 } : {});
  }
  const manager = /^(pnpm|yarn|bun)\b/.exec(process.env.npm_config_user_agent ?? "")?.[1] ?? "npm";
  const isInstalled = values["no-install"] !== true && install(manager, folder);
  console.log(summary(options, relative(process.cwd(), folder), manager, isInstalled));
  return isInstalled || values["no-install"] ? 0 : 1;
}

function parsed(args: readonly string[]) {
  const one = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  const options = {
    ...{ framework: one, service: one, ledger: one, outbox: one, url: one, key: one },
    ...{ yes: { ...flag, short: "y" }, "no-install": flag, help: { ...flag, short: "h" } },
  } as const;
  try {
    const result = parseArgs({ args: [...args], options, allowPositionals: true });
    if (result.positionals.length > 1) {
      throw new Error(`expected one folder, received ${result.positionals.join(" ")}`);
    }
    return result;
  } catch (error) {
    const reason = error instanceof Error ? error.message.split(". ", 1)[0] : String(error);
    throw new Refusal(`${reason}; --help lists the options`);
  }
}

/** The name of the application's package is that of its folder. */
function nameOf(folder: string): string {
  const name = basename(folder);
  if (/^[a-z0-9][a-z0-9._-]{0,213}$/.test(name)) return name;
  throw new Refusal(`"${name}" is no package name: use lower-case letters, digits, "-", "_" and "."`);
}

function refuseFull(folder: string): void {
  try {
    if (readdirSync(folder).length > 0) throw new Refusal(`${folder} is not empty: choose another folder`);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code !== "ENOENT") throw new Refusal(`${folder} is no folder: choose another one`);
  }
}

async function choose<Q extends Question>(
  question: Q,
  given: string | undefined,
  isAsking: boolean,
  usual?: Choices[Q],
): Promise<Choices[Q]> {
  const values = valuesOf(question);
  const known = (value: unknown) => values.find((one) => one === value);
  let value = given ?? usual ?? values[0];
  if (given === undefined && isAsking) {
    const labels: Readonly<Record<string, string>> = questions[question].values;
    const options = values.map((one): Option => ({ value: one, label: labels[one] ?? one }));
    value = answered(
      await select<string>({ message: questions[question].message, options, initialValue: `${value}` }),
    );
  }
  const found = known(value);
  if (found !== undefined) return found;
  throw new Refusal(`--${question} ${value} is unknown: expected ${values.join(", ")}`);
}

interface Option {
  readonly value: string;
  readonly label: string;
}

/** Address and key of the control plane that runs already. */
async function existing(
  { url, key }: { readonly url?: string | undefined; readonly key?: string | undefined },
  isAsking: boolean,
): Promise<{ readonly url: string; readonly key: string }> {
  let [address, secret] = [url ?? process.env.CREDITGATE_BASE_URL, key ?? process.env.CREDITGATE_API_KEY];
  if (isAsking) {
    address ??= answered(await text({ message: "Its address?", defaultValue: local, placeholder: local }));
    secret ??= answered(await password({ message: "Its API key?" }));
  }
  if (!address || !secret) {
    throw new Refusal(
      "an existing service needs --url and --key, or CREDITGATE_BASE_URL and CREDITGATE_API_KEY",
    );
  }
  if (!/^https?:\/\/\S+$/.test(address) || !URL.canParse(address)) {
    throw new Refusal(`--url ${address} is no address: expected one such as ${local}`);
  }
  if (!/^[!-~]{8,256}$/.test(secret))
    throw new Refusal("--key is no API key: expected 8 to 256 printable characters");
  return { url: address, key: secret };
}

const local = "http://127.0.0.1:4000";

function answered(value: string | symbol): string {
  if (typeof value === "string") return value;
  throw new Refusal("cancelled; nothing was written");
}

function install(manager: string, folder: string): boolean {
  console.log(`Installing with ${manager} …`);
  const quiet = manager === "npm" ? ["--no-audit", "--no-fund", "--loglevel=error"] : [];
  const { status } = spawnSync(manager, ["install", ...quiet], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return status === 0;
}

function summary(options: ApplicationOptions, folder: string, manager: string, isInstalled: boolean): string {
  const { name, framework, service, ledger, outbox } = options;
  const labels = [
    questions.framework.values[framework],
    `credits ${questions.service.values[service]}`,
    questions.ledger.values[ledger].replace(/.*: /, ""),
    `usage ${questions.outbox.values[outbox].replace(/,.*/, "")}`,
  ];
  const route = framework === "next" ? "src/app/api/chat/route.ts" : "src/app.ts";
  const credits = {
    embedded: ["creditgate.json", "prices, and two customers: alice has 100 credits, bob has none"],
    existing: [".env", "address and key of the control plane; name your customer in x-customer"],
    table: ["schema.sql", "the table, and two customers: alice has 100 credits, bob has none"],
  }[service];
  const rows = [
    [route, "a streamed answer behind the gate"],
    ["src/chat.ts", "the model: one line to replace by a real one"],
    ["src/gate.ts", "the gate"],
    credits,
    ["tests", `${manager} test: alice gets an answer, bob a 402`],
  ];
  const width = Math.max(...rows.map(([path = ""]) => path.length));
  return [
    `${name}: ${labels.join(", ")}`,
    ...rows.map(([path = "", what]) => `  ${path.padEnd(width)}  ${what}`),
    "Start it:",
    `  ${folder === "" ? "" : `cd ${folder}`}${isInstalled ? "" : `${folder === "" ? "" : " && "}${manager} install`}`,
    `  ${manager} run dev`,
  ]
    .filter((line) => line.trim() !== "")
    .join("\n");
}
