import { Option, type Command as Program } from "commander";
import { ControlPlaneError } from "../../errors/control-plane-error.ts";
import { createProgram, optionOf, readProgram, titleOf } from "../program.ts";
import { type Command, csvOf, type Field, fieldsOf, isList, parametersOf, wordOf } from "./command.ts";
import type { ResourceName } from "./resource-names.ts";
import { table } from "./table.ts";

/** What the command line asks for. */
export interface Asked {
  readonly command: Command;
  readonly title: string;
  /** The values of the parameters of the path, in their order. */
  readonly parameters: readonly string[];
  readonly request: Readonly<Record<string, unknown>>;
  readonly common: Common;
}

/** What all commands take. */
interface Common {
  readonly organization?: string;
  readonly baseUrl?: string;
  readonly key?: string;
  readonly csv?: boolean;
  readonly limit: number | undefined;
  readonly allowInsecure?: boolean;
}

const credentials = `
The token of an administrator is read from CREDITGATE_ADMIN_TOKEN, or from .creditgate/admin-token of a creditgate serve
in this directory, which is http://127.0.0.1:4000 then. It prints JSON: a list is one record a line.`;

/**
 * Reads what follows the name of a resource; `undefined` if that asked for help, which is printed. Throws a
 * `ControlPlaneError` that says what was expected.
 */
export function readArguments(resource: ResourceName, args: readonly string[]): Asked | undefined {
  let asked: Asked | undefined;
  const program = programOf(resource, (found) => {
    asked = found;
  });
  readProgram(program, args.length === 0 ? ["--help"] : args);
  return asked;
}

/** The commands of a resource, for their help and for what is typed. */
export function programOf(
  resource: ResourceName,
  onAsked: (asked: Asked) => void = () => undefined,
): Program {
  const program = createProgram(`creditgate ${resource}`)
    .usage("ACTION [options]")
    .addHelpText("after", `\ncreditgate ${resource} ACTION --help shows its options.`);
  for (const [action, command] of Object.entries(table[resource])) add(program, action, command, onAsked);
  return program;
}

function add(parent: Program, action: string, command: Command, onAsked: (asked: Asked) => void): void {
  const fields = fieldsOf(command);
  const parameters = parametersOf(command);
  const ordered = command.arguments.flatMap((name) => fields.find((field) => field.name === name) ?? []);
  const options = fields.filter((field) => !ordered.includes(field));
  const program = parent.command(action).description(command.endpoint.summary);
  const title = titleOf(program);
  for (const name of [...parameters.map(wordOf), ...ordered.map(({ word }) => word)])
    program.argument(`<${name.toUpperCase()}>`);
  for (const field of options) program.addOption(optionFor(field));
  for (const option of commonOptions(command)) program.addOption(option);
  program.addHelpText("after", credentials).action(() => {
    const values = program.opts();
    const request = new Map<string, unknown>();
    for (const [index, field] of ordered.entries())
      request.set(field.name, read(title, field, program.args[parameters.length + index] ?? ""));
    for (const field of options) {
      const value = values[new Option(`--${field.word}`).attributeName()];
      if (value !== undefined) request.set(field.name, value === true || read(title, field, value));
    }
    onAsked({
      command,
      title,
      parameters: program.args.slice(0, parameters.length),
      request: Object.fromEntries(request),
      common: { ...values, limit: isList(command) ? limitOf(title, values) : undefined },
    });
  });
}

function optionFor({ word, type, choices, isNullable, isRequired, meaning }: Field): Option {
  const words = choices.join("|");
  const value = words === "" || words.length > widest ? exampleOf(type) : words;
  const notes = [
    ...(words.length > widest ? [`: ${choices.join(", ")}`] : []),
    ...(isNullable ? [" (null removes it)"] : []),
  ];
  const flags = type === "boolean" ? `--${word}` : `--${word} <${value}>`;
  return optionOf(flags, `${meaning}${notes.join("")}`).makeOptionMandatory(isRequired);
}

/** Words of a choice beside its flag; more stand in its meaning. */
const widest = 44;

function exampleOf(type: Field["type"]): string {
  return { boolean: "", number: "N", json: "JSON", list: "A,B,...", text: "TEXT" }[type];
}

function commonOptions(command: Command): Option[] {
  const { endpoint } = command;
  const key =
    "the id of what is to happen once, such as that of the payment, so that typed twice it counts once";
  return [
    ...(endpoint.keyed ? [optionOf("--key <KEY>", key).makeOptionMandatory()] : []),
    ...(csvOf(command) ? [optionOf("--csv", "all of it as a file for spreadsheets, on stdout")] : []),
    ...(isList(command) ? [optionOf("--limit <N>", "at most this number of records")] : []),
    optionOf("--organization <NAME>", "CREDITGATE_ORGANIZATION without it, or the only one there is"),
    optionOf("--base-url <URL>", "CREDITGATE_BASE_URL without it"),
    optionOf("--allow-insecure", "http to a host that is not this machine"),
  ];
}

function read(title: string, { word, type, isNullable }: Field, text: string): unknown {
  if (isNullable && text === "null") return null;
  if (type === "number") return numberOf(title, `--${word}`, text);
  if (type === "list" && !text.startsWith("[")) return text.split(",");
  if (type === "text") return text;
  try {
    return JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw invalid(title, `--${word}: expected JSON in single quotes, received ${text} (${why})`);
  }
}

function numberOf(title: string, name: string, text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isFinite(value)) return value;
  throw invalid(title, `${name}: expected a number, received ${text}`);
}

function limitOf(title: string, { limit, csv }: { limit?: string; csv?: boolean }): number | undefined {
  if (limit === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(limit))
    throw invalid(title, `--limit: expected a whole number from 1 on, received ${limit}`);
  if (csv === true) throw invalid(title, "--limit: expected none of a file, which is the whole, received it");
  return Number(limit);
}

function invalid(title: string, message: string): ControlPlaneError {
  return new ControlPlaneError("config_invalid", `${title}: ${message}`);
}
