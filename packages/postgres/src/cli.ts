import process from "node:process";
import { invalidOption } from "@creditgate/core";
import { type PostgresCommand, readCommand, usage } from "./cli-arguments.ts";
import {
  initPostgresStore,
  listBlocks,
  migratePostgres,
  resolveBlock,
  type StoredBlock,
} from "./operator.ts";
import type { PostgresOptions } from "./options.ts";
import type { PgPool } from "./sql.ts";

/** Runs `creditgate postgres` with what follows it; resolves with the exit code: 1 if it could not, 2 for wrong input. */
export async function main(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<number> {
  try {
    const command = readCommand(args);
    if (command.command === "help") print(usage);
    else await connected(command, environment, (options) => run(command, options));
    return 0;
  } catch (error) {
    process.stderr.write(`creditgate postgres: ${error instanceof Error ? error.message : String(error)}\n`);
    return isMisuse(error) ? 2 : 1;
  }
}

async function run(command: PostgresCommand, options: PostgresOptions): Promise<void> {
  switch (command.command) {
    case "migrate":
      await migratePostgres(options);
      print("the schema is up to date\n");
      return;
    case "init":
      await initPostgresStore(options);
      print("the store grants at once\n");
      return;
    case "resolve":
      await resolveBlock(options, command.account, command.process);
      print("1 resolved\n");
      return;
    default:
      print(table(await listBlocks(options), command.json));
  }
}

function table(blocks: readonly StoredBlock[], json: boolean): string {
  if (json) return `${JSON.stringify({ blocks }, null, 2)}\n`;
  const lines = blocks.map(({ account, process: owner, credits, unused, silent }) =>
    [silent ? "silent" : "alive", owner, `${credits} credits`, `${unused} unused`, account].join("  "),
  );
  return `${[...lines, `${blocks.length} blocks`].map(oneLine).join("\n")}\n`;
}

/** What customers are called must not reach into the terminal. */
function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, " ");
}

interface Driver {
  readonly Pool: new (options: {
    connectionString: string;
    max: number;
  }) => PgPool & { end(): Promise<void> };
}

/** Only the command line needs a driver of its own. */
const driver: string = "pg";

async function connected(
  { database, schema }: PostgresCommand,
  environment: Readonly<Record<string, string | undefined>>,
  use: (options: PostgresOptions) => Promise<void>,
): Promise<void> {
  const connectionString = database ?? environment.DATABASE_URL;
  if (!connectionString)
    invalidOption("--database", "the URL of a database, or DATABASE_URL", connectionString);
  const { Pool } = await loadDriver();
  const sql = new Pool({ connectionString, max: 1 });
  try {
    await use({ sql, ...(schema !== undefined && { schema }) });
  } finally {
    await sql.end();
  }
}

async function loadDriver(): Promise<Driver> {
  try {
    const { default: loaded }: { readonly default: Driver } = await import(driver);
    return loaded;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")) throw error;
    return invalidOption("pg", "the package to be installed beside this one (npm install pg)", "none");
  }
}

function isMisuse(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "invalid_option";
}

function print(text: string): void {
  process.stdout.write(text);
}
