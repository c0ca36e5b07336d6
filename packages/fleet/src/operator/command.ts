import { errorMessage, invalidOption } from "@creditgate/core/adapter";
/** The options of a command line, as `parseArgs` of Node takes them. */
export type OptionKinds = Record<string, { type: "string" | "boolean"; short?: string }>;

/** What a command line uses of Node, which gives it: this module runs everywhere. */
export interface Terminal {
  readonly process: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly stdout: { write(text: string): unknown };
    readonly stderr: { write(text: string): unknown };
  };
  parseArgs(config: { args: string[]; options: OptionKinds; allowPositionals: true }): {
    readonly values: Readonly<Record<string, unknown>>;
    readonly positionals: readonly string[];
  };
}

/** A command line that has been read. */
export interface Command {
  /** What stands there beside options: the command and what it is about. */
  readonly operands: readonly string[];
  /** The value of an option; `undefined` where it is not given. */
  text(name: string): string | undefined;
  flag(name: string): boolean;
}

/** Reads the command line. Throws `invalid_option` for what the options do not know. */
export function readCommand(args: readonly string[], options: OptionKinds, { parseArgs }: Terminal): Command {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    return {
      operands: positionals,
      text: (name) => (typeof values[name] === "string" ? values[name] : undefined),
      flag: (name) => values[name] === true,
    };
  } catch (error) {
    return invalidOption(
      "arguments",
      "those that --help shows",
      error instanceof Error ? error.message : String(error),
    );
  }
}

/** Refuses words that a command does not take. */
export function checkNoMore(command: string, operands: readonly string[]): void {
  if (operands.length > 0) invalidOption(command, "nothing more", operands.join(" "));
}

/** Runs a command, and resolves with the exit code: 0; 1 if it failed; 2 for wrong input, with one line on stderr. */
export async function exitCodeOf(
  program: string,
  { process }: Terminal,
  run: () => Promise<void>,
): Promise<number> {
  try {
    await run();
    return 0;
  } catch (error) {
    process.stderr.write(`${program}: ${oneLine(errorMessage(error))}\n`);
    return error instanceof Error && "code" in error && error.code === "invalid_option" ? 2 : 1;
  }
}

/** What customers and services have said must not reach into the terminal. */
export function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, " ");
}
