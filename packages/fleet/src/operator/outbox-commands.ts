import type { Awaitable } from "@creditgate/core";
import { invalidOption } from "@creditgate/core/adapter";
import { type Command, checkNoMore, type OptionKinds, oneLine } from "./command.ts";
import type { Decided, ItemState, OutboxItem, OutboxOperator, Resolution } from "./outbox-operator.ts";

/** The options of {@link runOutboxCommand}. */
export const outboxOptions: OptionKinds = {
  json: { type: "boolean" },
  all: { type: "boolean" },
  parked: { type: "boolean" },
  dead: { type: "boolean" },
  orphans: { type: "boolean" },
  delivered: { type: "boolean" },
  discard: { type: "boolean" },
  bill: { type: "string" },
  reason: { type: "string" },
};

/** What `--help` shows of it. `program` is what stands before the command. */
export function outboxUsage(program: string): string {
  const line = (command: string, meaning: string) =>
    `${`${program} ${command}`.padEnd(program.length + 48)} ${meaning}\n`;
  return [
    line("list [--all] [--json]", "what waits for a decision; with --all, everything"),
    line("export", "everything as JSON, one line for each"),
    line("retry ID... [--json]", "parked or dead reports back into the queue"),
    line(
      "resolve ID... --delivered [--json]",
      "the service has it: it counts for the settlement lag, and goes",
    ),
    line("resolve ID... --discard [--json]", "it is never billed, and counts no more"),
    line("resolve ID... --bill USAGE [--json]", "work that a crash cut off is billed this usage (JSON)"),
    "  Instead of ids: --parked, --dead or --orphans for all of them. --reason TEXT says why, for the record.\n",
  ].join("");
}

/** These wait for a decision. */
const listedAlways: readonly ItemState[] = ["parked", "dead", "orphan", "damaged"];

/**
 * Runs `list`, `export`, `retry` or `resolve` on an outbox. Errors in the command line are reported before `open` is
 * called.
 */
export async function runOutboxCommand(
  command: Command,
  [name, ...ids]: readonly string[],
  open: (use: (outbox: OutboxOperator) => Promise<void>) => Awaitable<void>,
  print: (text: string) => void,
): Promise<void> {
  const json = command.flag("json");
  const reason = command.text("reason");
  switch (name) {
    case "list":
      checkNoMore(name, ids);
      return open(async (outbox) => print(listed(await outbox.list(), command.flag("all"), json)));
    case "export":
      checkNoMore(name, ids);
      return open(async (outbox) => {
        for (const item of await outbox.list()) print(`${JSON.stringify(item)}\n`);
      });
    case "retry": {
      const which = whichOf(ids, command);
      return open(async (outbox) =>
        print(summaryOf("queued", await outbox.retry(await which(outbox), reason), json, reason)),
      );
    }
    case "resolve": {
      const which = whichOf(ids, command);
      const resolution = resolutionOf(command);
      return open(async (outbox) =>
        print(summaryOf("resolved", await outbox.resolve(await which(outbox), resolution), json, reason)),
      );
    }
    default:
      return invalidOption("command", "list, export, retry or resolve", name);
  }
}

/** Some items by their ids, or all that are in a state. */
function whichOf(
  ids: readonly string[],
  command: Command,
): (outbox: OutboxOperator) => Promise<readonly string[]> {
  const states: ItemState[] = [];
  if (command.flag("parked")) states.push("parked");
  if (command.flag("dead")) states.push("dead");
  if (command.flag("orphans")) states.push("orphan");
  if (ids.length > 0 === states.length > 0) {
    const received = ids.length === 0 ? undefined : [...ids, ...states].join(" ");
    invalidOption("ids", "some, or else --parked, --dead or --orphans", received);
  }
  return async (outbox) => {
    if (ids.length > 0) return [...new Set(ids)];
    const items = await outbox.list();
    return items.filter(({ state }) => states.includes(state)).map(({ id }) => id);
  };
}

function resolutionOf(command: Command): Resolution {
  const bill = command.text("bill");
  const reason = command.text("reason");
  const chosen = [
    ...(command.flag("delivered") ? ["--delivered"] : []),
    ...(command.flag("discard") ? ["--discard"] : []),
    ...(bill === undefined ? [] : ["--bill"]),
  ];
  if (chosen.length !== 1) {
    const received = chosen.length === 0 ? undefined : chosen.join(" and ");
    invalidOption("resolve", "one of --delivered, --discard and --bill", received);
  }
  if (bill !== undefined) return { as: "bill", usage: usageOf(bill), reason };
  return { as: command.flag("delivered") ? "delivered" : "discard", reason };
}

function usageOf(text: string): object {
  try {
    const usage: unknown = JSON.parse(text);
    if (typeof usage === "object" && usage !== null && !Array.isArray(usage)) return usage;
  } catch {
    // Reported below.
  }
  return invalidOption("--bill", 'a usage as JSON, such as {"outputTokens":40}', text);
}

function listed(items: readonly OutboxItem[], all: boolean, json: boolean): string {
  const shown = all ? items : items.filter(({ state }) => listedAlways.includes(state));
  const counts: Partial<Record<ItemState, number>> = {};
  for (const { state } of items) counts[state] = (counts[state] ?? 0) + 1;
  if (json) return `${JSON.stringify({ counts, items: shown }, null, 2)}\n`;
  const lines = shown.map(
    ({ state, id, customerId, indicator, credits, since, reason = "", isRequested }) => {
      const figures = [state, id, customerId, indicator, `${credits} credits`, since];
      return [...figures, reason, ...(isRequested ? ["(decided, not received yet)"] : [])]
        .map(oneLine)
        .join("  ")
        .trimEnd();
    },
  );
  const summary = Object.entries(counts).map(([state, count]) => `${count} ${state}`);
  return `${[...lines, summary.length === 0 ? "empty" : summary.join(", ")].join("\n")}\n`;
}

function summaryOf(
  what: "queued" | "resolved",
  { done, left }: Decided,
  json: boolean,
  reason: string | undefined,
): string {
  if (json) return `${JSON.stringify({ [what]: done, ...(left.length > 0 && { left }), reason })}\n`;
  const why = reason === undefined ? "" : `: ${oneLine(reason)}`;
  const later = left.length === 0 ? "" : `, ${left.length} pending: no process has received it yet`;
  return `${done.length} ${what}${later}${why}\n`;
}
