import { invalidOption } from "@creditgate/core/adapter";
import {
  exitCodeOf,
  outboxOptions,
  outboxUsage,
  readCommand,
  runOutboxCommand,
  type Terminal,
} from "@creditgate/fleet/operator";
import { sqliteOperator } from "./outbox-file.ts";

const program = "creditgate outbox";

const usage = `${outboxUsage(program)}
  --path FILE   the file of the outbox

list and export work while the application runs. retry and resolve need it stopped: it owns the file.
`;

const options = {
  ...outboxOptions,
  path: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

/** Runs `creditgate outbox` with what follows it; resolves with the exit code: 1 if it could not, 2 for wrong input. */
export function main(args: readonly string[], terminal: Terminal): Promise<number> {
  const print = (text: string) => void terminal.process.stdout.write(text);
  return exitCodeOf(program, terminal, async () => {
    const command = readCommand(args, options, terminal);
    if (command.flag("help") || command.operands.length === 0) return print(usage);
    const path = command.text("path");
    if (!path) invalidOption("--path", "the file of the outbox", path);
    await runOutboxCommand(command, command.operands, (use) => use(sqliteOperator(path)), print);
  });
}
