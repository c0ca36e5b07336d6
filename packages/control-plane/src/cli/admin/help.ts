import { upper } from "./arguments.ts";
import type { Command, Option } from "./command.ts";
import type { ResourceName } from "./resource-names.ts";
import { table } from "./table.ts";

/** What there is to do with a resource. */
export function resourceHelp(resource: ResourceName): string {
  const lines = Object.entries(table[resource]).map(([action, command]) => {
    const call = [action, ...(command.arguments ?? []).map(upper)].join(" ");
    return `  ${call.padEnd(34)}${command.summary}\n`;
  });
  return `creditgate ${resource} ACTION [options]\n\n${lines.join("")}\ncreditgate ${resource} ACTION --help shows its options.\n`;
}

/** The options of a command. */
export function commandHelp(resource: ResourceName, action: string, command: Command): string {
  const call = ["creditgate", resource, action, ...(command.arguments ?? []).map(upper)].join(" ");
  const own = Object.entries(command.options ?? {}).map(([flag, option]) => line(flag, option));
  const key = {
    value: "KEY",
    meaning: "the id of what is to happen once, such as that of the payment (required)",
  };
  const more = [
    ...(command.isKeyed === true ? [line("key", key)] : []),
    ...(command.csv === undefined
      ? []
      : [line("csv", { meaning: "all of it as a file for spreadsheets, on stdout" })]),
    line("limit", { value: "N", meaning: "of a list, at most this number of records" }),
    line("organization", {
      value: "NAME",
      meaning: "CREDITGATE_ORGANIZATION without it, or the only one there is",
    }),
    line("base-url", { value: "URL", meaning: "CREDITGATE_BASE_URL without it" }),
    line("allow-insecure", { meaning: "http to a host that is not this machine" }),
  ];
  return `${call} [options]    ${command.summary}\n\n${[...own, ...more].join("")}\n${credentials}`;
}

function line(flag: string, option: Partial<Option>): string {
  const call = `--${flag}${option.as === "yes" || option.value === undefined ? "" : ` ${option.value}`}`;
  const marks = [
    ...(option.required === true ? ["required"] : []),
    ...(option.nullable === true ? ["null removes it"] : []),
  ];
  const mark = marks.length === 0 ? "" : ` (${marks.join("; ")})`;
  return `  ${call.padEnd(32)}${call.length > 31 ? `\n${" ".repeat(34)}` : ""}${option.meaning}${mark}\n`;
}

const credentials = `The token of an administrator is read from CREDITGATE_ADMIN_TOKEN, or from .creditgate/admin-token of a creditgate serve
in this directory, which is http://127.0.0.1:4000 then. It prints JSON: a list is one record a line.
`;
