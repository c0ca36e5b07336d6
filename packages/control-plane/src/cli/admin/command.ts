import type { AdminClient, AdminEndpoint, EndpointsOf, OrganizationAdmin } from "@creditgate/admin";
import { z } from "zod";

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
  readonly csv?: keyof EndpointsOf<"csv">;
  /** The file that it answers, in any case. */
  readonly file?: keyof EndpointsOf<"csv">;
  /** The page that it answers, of what its argument names. */
  readonly page?: keyof EndpointsOf<"page">;
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
export function printing(summary: string, argument: string, page: keyof EndpointsOf<"page">): Command {
  return { summary, arguments: [argument], page, run: async () => undefined };
}

/** A command of an organisation that answers a file. */
export function exporting(summary: string, file: keyof EndpointsOf<"csv">, options: Options): Command {
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
const from: Option = text("from", "from this instant on, as 2026-01-01T00:00:00Z", "TIME");
const to: Option = text("to", "before this instant", "TIME");
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

/**
 * Options for the fields of a body, as its schema has and describes them: `taxId` is `--tax-id`, but for those that have
 * a flag in `flags`.
 */
export function fields({ body }: AdminEndpoint, flags: Readonly<Record<string, string>> = {}): Options {
  if (!(body instanceof z.ZodObject)) return {};
  const { properties } = bodySchema.parse(z.toJSONSchema(body, { io: "input", unrepresentable: "any" }));
  const own = Object.entries(properties).filter(([field]) => field !== "etag");
  return Object.fromEntries(own.map(([field, of]) => [flags[field] ?? flagOf(field), optionOf(field, of)]));
}

const typeSchema = z.object({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.string()).optional(),
});

const fieldSchema = typeSchema.extend({
  description: z.string().optional(),
  anyOf: z.array(typeSchema).optional(),
});

const bodySchema = z.object({ properties: z.record(z.string(), fieldSchema) });

function flagOf(field: string): string {
  return field.replaceAll("_", "-").replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function optionOf(
  field: string,
  { description = field, anyOf = [], ...own }: z.output<typeof fieldSchema>,
): Option {
  const types = [own, ...anyOf].flatMap(({ type }) => type ?? []);
  const words = [own, ...anyOf].find((one) => one.enum !== undefined)?.enum;
  const nullable = types.includes("null");
  const meaning = `${description.charAt(0).toLowerCase()}${description.slice(1)}`;
  const common = { field, meaning, ...(nullable ? { nullable } : {}) };
  if (words !== undefined) return { ...common, value: words.join("|") };
  switch (types.find((type) => type !== "null")) {
    case "boolean":
      return { ...common, as: "yes" };
    case "number":
    case "integer":
      return { ...common, as: "number", value: "N" };
    case "array":
    case "object":
      return { ...common, as: "json", value: "JSON" };
    default:
      return { ...common, value: "TEXT" };
  }
}
