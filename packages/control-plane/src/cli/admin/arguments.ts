import { parseArgs } from "node:util";
import { nearestName } from "@creditgate/client";
import { ControlPlaneError } from "../../errors/control-plane-error.ts";
import type { Command, Option, Options } from "./command.ts";
import type { ResourceName } from "./resource-names.ts";
import { table } from "./table.ts";

/** What the command line asks for. */
export type Asked =
  | { readonly kind: "help"; readonly resource: ResourceName; readonly action?: string }
  | {
      readonly kind: "command";
      readonly command: Command;
      readonly title: string;
      readonly arguments: ReadonlyMap<string, string>;
      readonly request: Readonly<Record<string, unknown>>;
      readonly common: Common;
    };

/** What all commands take. */
interface Common {
  readonly organization: string | undefined;
  readonly baseUrl: string | undefined;
  readonly key: string | undefined;
  readonly csv: boolean;
  readonly limit: number | undefined;
  readonly allowInsecure: boolean;
}

const commonFlags = {
  organization: { type: "string" },
  "base-url": { type: "string" },
  key: { type: "string" },
  csv: { type: "boolean" },
  limit: { type: "string" },
  "allow-insecure": { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** Reads what follows the name of a resource; throws a `ControlPlaneError` that says what was expected. */
export function readArguments(resource: ResourceName, args: readonly string[]): Asked {
  const [action, ...rest] = args;
  if (action === undefined || action === "--help" || action === "-h") return { kind: "help", resource };
  const commands = table[resource];
  const command = Object.hasOwn(commands, action) ? commands[action] : undefined;
  if (command === undefined) {
    const known = Object.keys(commands);
    throw invalid(resource, `expected one of ${known.join(", ")}, received ${advised(action, known)}`);
  }
  const title = `${resource} ${action}`;
  const { values, positionals } = parse(title, command, rest);
  if (values.help === true) return { kind: "help", resource, action };
  return {
    kind: "command",
    command,
    title,
    arguments: named(title, command.arguments ?? [], positionals),
    request: requestOf(title, command.options ?? {}, values),
    common: commonOf(title, command, values),
  };
}

type Values = Readonly<Record<string, string | boolean | undefined>>;

function parse(title: string, { options = {}, arguments: names = [] }: Command, args: readonly string[]) {
  const own = Object.entries(options).map(([flag, { as }]) => [
    flag,
    { type: as === "yes" ? ("boolean" as const) : ("string" as const) },
  ]);
  const flags: Record<string, { type: "string" | "boolean"; short?: string }> = {
    ...commonFlags,
    ...Object.fromEntries(own),
  };
  const { tokens } = parseArgs({ args: [...args], options: flags, strict: false, tokens: true });
  const values: Record<string, string | boolean> = {};
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    // A number of credits below 0 looks like an option.
    else if (token.kind === "option" && /^-[\d.]/.test(args[token.index] ?? "")) {
      const [text = ""] = args.slice(token.index, token.index + 1);
      if (!positionals.includes(text)) positionals.push(text);
    } else if (token.kind === "option") readOption(title, token, flags, values);
  }
  if (positionals.length > names.length) {
    const surplus = positionals[names.length];
    throw invalid(
      title,
      `expected ${names.length === 0 ? "options only" : names.map(upper).join(" ")}, received ${surplus} too`,
    );
  }
  return { values, positionals };
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function readOption(
  title: string,
  { name, rawName, value, inlineValue }: OptionToken,
  flags: Readonly<Record<string, { readonly type: "string" | "boolean" }>>,
  values: Record<string, string | boolean>,
): void {
  const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
  if (flag === undefined) {
    const known = Object.keys(flags).map((known) => `--${known}`);
    throw invalid(title, `expected one of ${known.join(", ")}, received ${advised(rawName, known)}`);
  }
  if (name in values) throw invalid(title, `${rawName}: expected it once, received it twice`);
  if (flag.type === "boolean") {
    if (value !== undefined) throw invalid(title, `${rawName}: expected no value, received ${value}`);
    values[name] = true;
    return;
  }
  const isOption = value?.startsWith("--") === true && inlineValue !== true;
  if (value === undefined || isOption) throw invalid(title, `${rawName}: expected a value, received none`);
  values[name] = value;
}

function named(
  title: string,
  names: readonly string[],
  positionals: readonly string[],
): ReadonlyMap<string, string> {
  const missing = names[positionals.length];
  if (missing !== undefined)
    throw invalid(title, `expected ${names.map(upper).join(" ")}, received no ${upper(missing)}`);
  return new Map(names.map((name, index) => [name, positionals[index] ?? ""]));
}

function requestOf(title: string, options: Options, values: Values): Readonly<Record<string, unknown>> {
  const request: Record<string, unknown> = {};
  for (const [flag, option] of Object.entries(options)) {
    const value = values[flag];
    if (value === undefined && option.required === true)
      throw invalid(title, `--${flag}: expected ${option.meaning}, received nothing`);
    if (value !== undefined) request[option.field] = optionValue(title, flag, option, value);
  }
  return request;
}

function optionValue(
  title: string,
  flag: string,
  { as = "text", nullable }: Option,
  value: string | boolean,
): unknown {
  if (typeof value === "boolean") return value;
  if (nullable === true && value === "null") return null;
  switch (as) {
    case "number":
      return numberOf(title, `--${flag}`, value);
    case "list":
      return value.split(",");
    case "json":
      try {
        return JSON.parse(value) as unknown;
      } catch (cause) {
        const why = cause instanceof Error ? cause.message : String(cause);
        throw invalid(title, `--${flag}: expected JSON in single quotes, received ${value} (${why})`);
      }
    default:
      return value;
  }
}

function commonOf(title: string, command: Command, values: Values): Common {
  const text = (name: string) => (typeof values[name] === "string" ? values[name] : undefined);
  const key = text("key");
  if (command.isKeyed === true && key === undefined) {
    const expected =
      "the id of what is to happen once, such as that of the payment, so that typed twice it counts once";
    throw invalid(title, `--key: expected ${expected}, received nothing`);
  }
  if (command.isKeyed !== true && key !== undefined)
    throw invalid(title, "--key: expected none, received it");
  const isCsv = values.csv === true;
  if (isCsv && command.csv === undefined)
    throw invalid(title, "--csv: expected none, since it answers no file, received it");
  const limit = text("limit");
  if (limit !== undefined && !/^[1-9]\d{0,8}$/.test(limit))
    throw invalid(title, `--limit: expected a whole number from 1 on, received ${limit}`);
  if ((isCsv || command.file !== undefined) && limit !== undefined)
    throw invalid(title, "--limit: expected none of a file, which is the whole, received it");
  return {
    organization: text("organization"),
    baseUrl: text("base-url"),
    key,
    csv: isCsv,
    limit: limit === undefined ? undefined : Number(limit),
    allowInsecure: values["allow-insecure"] === true,
  };
}

function numberOf(title: string, name: string, text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isFinite(value)) return value;
  throw invalid(title, `${name}: expected a number, received ${text}`);
}

function advised(text: string, known: readonly string[]): string {
  const near = nearestName(text, known);
  return near === undefined ? text : `${text}; did you mean ${near}?`;
}

export function upper(name: string): string {
  return name.toUpperCase();
}

function invalid(title: string, message: string): ControlPlaneError {
  return new ControlPlaneError("config_invalid", `${title}: ${message}`);
}
