import { parseArgs } from "node:util";
import { invalidOption } from "@creditgate/core";

/** What `creditgate postgres …` is to do, and where. */
export interface PostgresCommand {
  readonly command: "help" | "migrate" | "init" | "list" | "resolve";
  readonly database: string | undefined;
  readonly schema: string | undefined;
  readonly json: boolean;
  /** For `resolve`. */
  readonly account: string;
  readonly process: string;
}

export const usage = `creditgate postgres migrate                   create the schema, or bring it up to date
creditgate postgres init                      spare a store that was never used the quarantine of its first use
creditgate postgres list [--json]             the credits that processes have, those of silent processes first
creditgate postgres resolve ACCOUNT PROCESS   free what a process has that is gone and has no successor

  --database URL   the database                            (DATABASE_URL)
  --schema NAME    the schema of the tables                (creditgate_fleet)
`;

const options = {
  database: { type: "string" },
  schema: { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** Reads the command line; throws an `invalid_option` error that names option, expected and received. */
export function readCommand(args: readonly string[]): PostgresCommand {
  const { values, positionals } = parse(args);
  const [name = "help", account = "", process = "", ...more] = positionals;
  const command = values.help ? "help" : checkCommand(name);
  if (command === "resolve" && process === "") {
    invalidOption("resolve", "an account and a process, as list shows them", positionals.slice(1).join(" "));
  }
  const surplus = command === "resolve" ? more : positionals.slice(1);
  if (surplus.length > 0) invalidOption(command, "nothing more", surplus.join(" "));
  const { database, schema, json = false } = values;
  return { command, database, schema, json, account, process };
}

function checkCommand(name: string): PostgresCommand["command"] {
  switch (name) {
    case "help":
    case "migrate":
    case "init":
    case "list":
    case "resolve":
      return name;
    default:
      return invalidOption("command", "migrate, init, list or resolve", name);
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    return invalidOption(
      "arguments",
      "those that --help shows",
      error instanceof Error ? error.message : args,
    );
  }
}
