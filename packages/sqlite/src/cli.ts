import process from "node:process";
import { type OutboxCommand, readCommand, usage, type Which } from "./cli-arguments.ts";
import { OutboxError } from "./outbox-error.ts";
import { type ItemState, listItems, type OutboxItem, resolveItems, retryItems } from "./outbox-file.ts";

/** Runs `creditgate outbox` with what follows it; resolves with the exit code: 1 if it could not, 2 for wrong input. */
export async function main(args: readonly string[]): Promise<number> {
  try {
    run(readCommand(args));
    return 0;
  } catch (error) {
    if (!(error instanceof OutboxError)) throw error;
    process.stderr.write(`creditgate outbox: ${error.message}\n`);
    return error.code === "invalid_option" ? 2 : 1;
  }
}

/** These wait for someone's decision. */
const undecided: readonly ItemState[] = ["parked", "dead", "orphan"];

function run(command: OutboxCommand): void {
  switch (command.command) {
    case "help":
      print(usage);
      return;
    case "export":
      for (const item of listItems(command.path)) print(`${JSON.stringify(item)}\n`);
      return;
    case "list":
      list(listItems(command.path), command);
      return;
    case "retry": {
      const ids = idsOf(command.path, command.which);
      retryItems(command.path, ids);
      done("queued", ids, command.json);
      return;
    }
    case "resolve": {
      const ids = idsOf(command.path, command.which);
      resolveItems(command.path, ids, command.resolution);
      done("resolved", ids, command.json);
    }
  }
}

function idsOf(path: string, which: Which): readonly string[] {
  if ("ids" in which) return which.ids;
  return listItems(path)
    .filter(({ state }) => which.states.includes(state))
    .map(({ id }) => id);
}

function list(
  items: readonly OutboxItem[],
  { all, json }: { readonly all: boolean; readonly json: boolean },
): void {
  const shown = all ? items : items.filter(({ state }) => undecided.includes(state));
  const counts: Partial<Record<ItemState, number>> = {};
  for (const { state } of items) counts[state] = (counts[state] ?? 0) + 1;
  if (json) {
    print(`${JSON.stringify({ counts, items: shown }, null, 2)}\n`);
    return;
  }
  for (const { state, id, customerId, indicator, credits, since, reason = "" } of shown) {
    print(
      `${[state, id, customerId, indicator, `${credits} credits`, since, reason].map(oneLine).join("  ")}\n`,
    );
  }
  const summary = Object.entries(counts).map(([state, count]) => `${count} ${state}`);
  print(`${summary.length === 0 ? "empty" : summary.join(", ")}\n`);
}

function done(what: string, ids: readonly string[], json: boolean): void {
  print(json ? `${JSON.stringify({ [what]: ids })}\n` : `${ids.length} ${what}\n`);
}

/** What customers and services have said must not reach into the terminal. */
function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, " ");
}

function print(text: string): void {
  process.stdout.write(text);
}
