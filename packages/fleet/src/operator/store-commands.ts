import { invalidOption } from "@creditgate/core/adapter";
import {
  type Command,
  checkNoMore,
  exitCodeOf,
  type OptionKinds,
  oneLine,
  readCommand,
  type Terminal,
} from "./command.ts";
import type { LedgerOperator, StoredReservation } from "./ledger-operator.ts";
import { outboxOptions, outboxUsage, runOutboxCommand } from "./outbox-commands.ts";
import type { OutboxOperator } from "./outbox-operator.ts";

/** What an operator reaches in a store. */
export interface OperatedStore {
  readonly ledger: LedgerOperator;
  readonly outbox: OutboxOperator;
  /** Creates what the store needs, or brings it up to date. Absent where there is nothing to create. */
  migrate?(): Promise<void>;
}

/** The command line of a store that the processes of a fleet share. */
export interface StoreProgram {
  /** What stands before the command, such as `creditgate redis`. */
  readonly name: string;
  /** Options that say where the store is, with what `--help` says of each. */
  readonly options: OptionKinds;
  readonly optionsUsage: string;
  readonly migrates: boolean;
  /** Connects, calls `use` and disconnects. */
  open(command: Command, terminal: Terminal, use: (store: OperatedStore) => Promise<void>): Promise<void>;
}

/** Runs the command line of a store; resolves with the exit code: 1 if it could not be done, 2 for wrong input. */
export function runStoreProgram(
  program: StoreProgram,
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const print = (text: string) => void terminal.process.stdout.write(text);
  return exitCodeOf(program.name, terminal, async () => {
    const options = { ...outboxOptions, ...program.options, help: { type: "boolean", short: "h" } } as const;
    const command = readCommand(args, options, terminal);
    const [name, ...operands] = command.operands;
    if (name === undefined || command.flag("help")) return print(usageOf(program));
    if (name === "outbox") {
      return runOutboxCommand(
        command,
        operands,
        (use) => program.open(command, terminal, ({ outbox }) => use(outbox)),
        print,
      );
    }
    const run = storeCommand(program, name, operands, command.flag("json"));
    await program.open(command, terminal, async (store) => print(await run(store)));
  });
}

/** The command, which returns what is to be printed. Throws `invalid_option` before anything is opened. */
function storeCommand(
  { migrates }: StoreProgram,
  name: string,
  operands: readonly string[],
  json: boolean,
): (store: OperatedStore) => Promise<string> {
  const commands = [...(migrates ? ["migrate"] : []), "init", "list", "resolve", "outbox"];
  if (!commands.includes(name)) invalidOption("command", commands.join(", "), name);
  const [account = "", process = "", ...more] = name === "resolve" ? operands : ["", "", ...operands];
  checkNoMore(name, more);
  if (name === "resolve" && process === "")
    invalidOption(name, "an account and a process, as list shows them", operands.join(" "));
  return async ({ ledger, migrate }) => {
    switch (name) {
      case "migrate":
        await migrate?.();
        return "the schema is up to date\n";
      case "init":
        return (await ledger.init())
          ? "the store grants at once\n"
          : "the store is in use, and stays as it is: nothing to do\n";
      case "resolve":
        await ledger.resolve(account, process);
        return "1 resolved\n";
      default:
        return tableOf(await ledger.list(), json);
    }
  };
}

function usageOf({ name, migrates, optionsUsage }: StoreProgram): string {
  const line = (command: string, meaning: string) =>
    `${`${name} ${command}`.padEnd(name.length + 26)} ${meaning}\n`;
  return [
    migrates ? line("migrate", "create the schema, or bring it up to date") : "",
    line("init", "spare a store that was never used the quarantine of its first use"),
    line("list [--json]", "the credits that processes have, those of silent processes first"),
    line("resolve ACCOUNT PROCESS", "free what a process has that is gone and has no successor"),
    "\n",
    outboxUsage(`${name} outbox`),
    "\n",
    optionsUsage,
  ].join("");
}

function tableOf(reservations: readonly StoredReservation[], json: boolean): string {
  if (json) return `${JSON.stringify({ reservations }, null, 2)}\n`;
  const lines = reservations.map(({ account, process, credits, unused, silent }) =>
    [silent ? "silent" : "alive", process, `${credits} credits`, `${unused} unused`, account].join("  "),
  );
  return `${[...lines, `${reservations.length} reservations`].map(oneLine).join("\n")}\n`;
}
