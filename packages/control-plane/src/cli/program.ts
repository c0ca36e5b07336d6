import { Command, CommanderError, Option } from "commander";
import { ControlPlaneError } from "../errors/control-plane-error.ts";

/** Options, and what they mean. One whose text is in brackets takes it. */
export type OptionTable = Readonly<Record<string, string>>;

/** A command that prints nothing but its help. */
export function createProgram(name: string, options: OptionTable = {}): Command {
  const program = new Command(name)
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .configureHelp({ helpWidth: 120, optionDescription: meaningOf, subcommandTerm: callOf });
  for (const [flags, meaning] of Object.entries(options)) program.addOption(optionOf(flags, meaning));
  return program;
}

function meaningOf({ description, mandatory }: Option): string {
  return mandatory ? `${description} (required)` : description;
}

function callOf(program: Command): string {
  return [program.name(), ...program.registeredArguments.map((argument) => argument.name())].join(" ");
}

/** Commander would take the last of several values, and for a value what begins as an option does. */
export function optionOf(flags: string, meaning: string): Option {
  const option = new Option(flags, meaning);
  if (!option.required) return option;
  return option.argParser<unknown>((text, previous) => {
    if (text.startsWith("--")) throw invalid(`${option.long}: expected a value, received ${text}, an option`);
    if (Array.isArray(previous)) return [...previous, text];
    if (previous !== undefined) throw invalid(`${option.long}: expected once, received it twice`);
    return text;
  });
}

/**
 * Reads arguments. Returns `false` if they ask for help, which is printed; throws a `ControlPlaneError` that says what was
 * expected.
 */
export function readProgram(program: Command, args: readonly string[]): boolean {
  try {
    program.parse(args, { from: "user" });
    return true;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return false;
    throw refused(error, program.commands.find((one) => one.name() === args[0]) ?? program);
  }
}

/** The words by which a command is called. */
export function titleOf(program: Command): string {
  const name = program.parent === null ? program.name() : `${program.parent.name()} ${program.name()}`;
  return name.replace(/^creditgate /, "");
}

/** What commander refuses, as option, expected and received. */
function refused({ code, message }: CommanderError, program: Command): ControlPlaneError {
  const title = titleOf(program);
  const [, subject = ""] = /'([^']*)'/.exec(message) ?? [];
  const [, near] = /\(Did you mean (?:one of )?([^,?]+)/.exec(message) ?? [];
  const received = near === undefined ? subject : `${subject}; did you mean ${near}?`;
  const option = program.options.find(({ flags }) => flags === subject);
  const names = program.registeredArguments.map((argument) => argument.name());
  switch (code) {
    case "commander.unknownCommand":
      return invalid(
        `${title}: expected one of ${program.commands.map((one) => one.name()).join(", ")}, received ${received}`,
      );
    case "commander.unknownOption":
      return invalid(
        `${title}: expected one of ${program.options.map(({ long }) => long).join(", ")}, received ${received}`,
      );
    case "commander.missingArgument":
      return invalid(`${title}: expected ${names.join(" ")}, received no ${subject}`);
    case "commander.excessArguments":
      return invalid(
        `${title}: expected ${names.join(" ") || "options only"}, received ${program.args[names.length]} too`,
      );
    case "commander.optionMissingArgument":
      return invalid(`${title}: ${option?.long}: expected a value, received none`);
    case "commander.missingMandatoryOptionValue":
      return invalid(`${title}: ${option?.long}: expected ${option?.description}, received nothing`);
    default:
      return invalid(`${title}: ${message.replace(/^error: /, "")}`);
  }
}

function invalid(message: string): ControlPlaneError {
  return new ControlPlaneError("config_invalid", message);
}
