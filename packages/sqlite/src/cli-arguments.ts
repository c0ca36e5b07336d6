import { parseArgs } from "node:util";
import { OutboxError } from "./outbox-error.ts";
import type { ItemState, Resolution } from "./outbox-file.ts";

export type OutboxCommand =
  | { readonly command: "help" }
  | { readonly command: "list"; readonly path: string; readonly json: boolean; readonly all: boolean }
  | { readonly command: "export"; readonly path: string }
  | { readonly command: "retry"; readonly path: string; readonly json: boolean; readonly which: Which }
  | {
      readonly command: "resolve";
      readonly path: string;
      readonly json: boolean;
      readonly which: Which;
      readonly resolution: Resolution;
    };

/** Some items by their ids, or all that are in a state. */
export type Which = { readonly ids: readonly string[] } | { readonly states: readonly ItemState[] };

export const usage = `creditgate outbox list    --path FILE [--all] [--json]     what waits for a decision; with --all, everything
creditgate outbox export  --path FILE                      everything as JSON, one line for each
creditgate outbox retry   --path FILE ID... [--json]       parked or dead reports back into the queue
creditgate outbox resolve --path FILE ID... (--delivered | --discard | --bill USAGE) [--json]
                                                           they have been billed, never will be, or, for work that a
                                                           crash cut off, are billed this usage (JSON)

Instead of ids: --parked, --dead or --orphans for all of them.
list and export work while the application runs. retry and resolve need it stopped: it owns the file.
`;

const options = {
  path: { type: "string" },
  json: { type: "boolean" },
  all: { type: "boolean" },
  parked: { type: "boolean" },
  dead: { type: "boolean" },
  orphans: { type: "boolean" },
  delivered: { type: "boolean" },
  discard: { type: "boolean" },
  bill: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

type Values = ReturnType<typeof parse>["values"];

/** Reads the command line; throws an `invalid_option` error that names option, expected and received. */
export function readCommand(args: readonly string[]): OutboxCommand {
  const { values, positionals } = parse(args);
  const [command, ...ids] = positionals;
  if (values.help || command === undefined) return { command: "help" };
  const { path, json = false, all = false } = values;
  if (path === undefined || path === "") throw invalid("--path", "the file of the outbox", "none");
  switch (command) {
    case "list":
      return { command, path, json, all };
    case "export":
      return { command, path };
    case "retry":
      return { command, path, json, which: whichOf(ids, values) };
    case "resolve":
      return { command, path, json, which: whichOf(ids, values), resolution: resolutionOf(values) };
    default:
      throw invalid("command", "list, export, retry or resolve", command);
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new OutboxError("invalid_option", error instanceof Error ? error.message : String(error), error);
  }
}

function whichOf(ids: readonly string[], { parked, dead, orphans }: Values): Which {
  const states: ItemState[] = [];
  if (parked) states.push("parked");
  if (dead) states.push("dead");
  if (orphans) states.push("orphan");
  if (ids.length > 0 === states.length > 0)
    throw invalid("ids", "some, or --parked, --dead, --orphans", ids.length === 0 ? "none" : "both");
  return ids.length > 0 ? { ids } : { states };
}

function resolutionOf({ delivered, discard, bill }: Values): Resolution {
  const chosen = [delivered && "--delivered", discard && "--discard", bill !== undefined && "--bill"].filter(
    Boolean,
  );
  if (chosen.length !== 1) {
    throw invalid(
      "resolve",
      "one of --delivered, --discard and --bill",
      chosen.length === 0 ? "none" : chosen.join(" and "),
    );
  }
  if (bill !== undefined) return { as: "bill", usage: usageOf(bill) };
  return { as: delivered ? "delivered" : "discard" };
}

function usageOf(text: string): object {
  try {
    const usage: unknown = JSON.parse(text);
    if (typeof usage === "object" && usage !== null && !Array.isArray(usage)) return usage;
  } catch {
    // Told below.
  }
  throw invalid("--bill", 'a usage as JSON, such as {"outputTokens":40}', text);
}

function invalid(option: string, expected: string, received: string): OutboxError {
  return new OutboxError("invalid_option", `${option}: expected ${expected}, received ${received}`);
}
