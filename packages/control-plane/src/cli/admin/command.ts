import type { AdminClient, CsvEndpoints, OrganizationAdmin, PrintEndpoints } from "@creditgate/client/admin";

/** An option of a command, and the field of the request that it fills. */
export interface Option {
  readonly field: string;
  /** How its text is read; `yes` takes none. With `null` the text `null` removes what is there. @default "text" */
  readonly as?: "text" | "number" | "yes" | "json" | "list";
  readonly nullable?: boolean;
  readonly required?: boolean;
  /** As it stands in the help. */
  readonly value?: string;
  readonly meaning: string;
}

export type Options = Readonly<Record<string, Option>>;

/** What a command was called with. */
export interface Input {
  readonly client: AdminClient;
  /** The organisation that is administered; asked for where a command needs it. */
  organization(): Promise<OrganizationAdmin>;
  /** An argument, by its name. */
  argument(name: string): string;
  /** The fields that the options fill. The client checks what is in them. */
  request<Request>(): Request;
  /** What keeps an effect from happening twice. */
  readonly keyed: { readonly idempotencyKey: string };
}

/** Something that administrators do. */
export interface Command {
  readonly summary: string;
  /** Names of what comes before the options, in this order. */
  readonly arguments?: readonly string[];
  readonly options?: Options;
  /** Whether its effect takes a key, so that the same command, typed again, does it once. @default false */
  readonly isKeyed?: boolean;
  /** The file that `--csv` answers. */
  readonly csv?: keyof CsvEndpoints;
  /** The file that it answers, in any case. */
  readonly file?: keyof CsvEndpoints;
  /** The page that it answers, of what its argument names. */
  readonly page?: keyof PrintEndpoints;
  /** What is printed: an object, or the items of a list. */
  run(input: Input): Promise<unknown> | AsyncIterable<unknown>;
}

export type Commands = Readonly<Record<string, Command>>;

/** A command of an organisation that answers one object. */
export function acting(
  summary: string,
  more: Omit<Command, "summary" | "run">,
  act: (organization: OrganizationAdmin, input: Input) => Promise<unknown>,
): Command {
  return { summary, ...more, run: async (input) => act(await input.organization(), input) };
}

/** A command of an organisation that answers a list. */
export function listing(
  summary: string,
  more: Omit<Command, "summary" | "run">,
  list: (
    organization: OrganizationAdmin,
    input: Input,
  ) => AsyncIterable<unknown> | Promise<Iterable<unknown>>,
): Command {
  return {
    summary,
    ...more,
    async *run(input) {
      yield* await list(await input.organization(), input);
    },
  };
}

/** A command of an organisation that answers a page, of what its argument names. */
export function printing(summary: string, argument: string, page: keyof PrintEndpoints): Command {
  return { summary, arguments: [argument], page, run: async () => undefined };
}

/** A command of an organisation that answers a file. */
export function exporting(summary: string, file: keyof CsvEndpoints, options: Options): Command {
  return { summary, options, file, run: async () => undefined };
}

const text = (field: string, meaning: string, value?: string): Option => ({
  field,
  meaning,
  ...(value === undefined ? {} : { value }),
});

export const customer: Option = text("customer_id", "only of this customer", "ID");
export const currency: Option = text("credit_currency_key", "only in this credit currency", "KEY");
export const agent: Option = text("agent_id", "only of this agent", "ID");
export const indicator: Option = text("indicator", "only of this indicator; needs --agent", "NAME");
export const from: Option = text("from", "from this instant on, as 2026-01-01T00:00:00Z", "TIME");
export const to: Option = text("to", "before this instant", "TIME");
export const reason: Option = { ...text("reason", "why, for the audit log", "TEXT"), required: true };
/** A span of time. */
export const span: Options = { from, to };

/** One of a few words. */
export function choice(field: string, meaning: string, words: readonly string[]): Option {
  return { field, meaning, value: words.join("|") };
}

/** A number of credits. */
export function credits(field: string, meaning: string, more: Partial<Option> = {}): Option {
  return { field, meaning, as: "number", value: "CREDITS", ...more };
}
