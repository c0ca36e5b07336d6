import {
  type AdminClient,
  type AdminEndpoint,
  csvEndpoints,
  type OrganizationAdmin,
} from "@creditgate/admin";
import { z } from "zod";

/** What states an operation. */
export type Operation = Omit<AdminEndpoint, "carries">;

/** A method of the client: it takes the parameters of the path, the request, and a key. */
type Method = (...input: never[]) => unknown;

/** Who performs commands. */
export interface Access {
  readonly client: AdminClient;
  /** The organisation that is administered; looked up when a command needs it. */
  organization(): Promise<OrganizationAdmin>;
}

/** An operation of the admin API, on the command line. Arguments, options and help come from the endpoint. */
export interface Command {
  readonly endpoint: Operation;
  /** Without a method the answer is a file. */
  readonly method?: (access: Access) => Promise<Method>;
  /** Fields of the request that are arguments, after the parameters of the path. */
  readonly arguments: readonly string[];
  /** The flags of fields whose own names do not fit. */
  readonly flags: Readonly<Record<string, string>>;
}

export type Commands = Readonly<Record<string, Command>>;

type More = Partial<Pick<Command, "arguments" | "flags">>;

/** A command of an organisation. */
export function of(
  endpoint: Operation,
  method: (organization: OrganizationAdmin, client: AdminClient) => Method,
  more: More = {},
): Command {
  return {
    endpoint,
    method: async ({ client, organization }) => method(await organization(), client),
    ...{ arguments: [], flags: {} },
    ...more,
  };
}

/** A command of the whole service. */
export function ofService(
  endpoint: Operation,
  method: (client: AdminClient) => Method,
  more: More = {},
): Command {
  return { endpoint, method: async ({ client }) => method(client), arguments: [], flags: {}, ...more };
}

/** A command of an organisation that prints a file. */
export function file(endpoint: Operation): Command {
  return { endpoint, arguments: [], flags: {} };
}

/** The file of what a command lists, if there is one. */
export function csvOf({ endpoint }: Command): AdminEndpoint | undefined {
  if (endpoint.kind !== "list") return undefined;
  return Object.values(csvEndpoints).find(({ path }) => path === `${endpoint.path}.csv`);
}

/** The parameters of the path that a command names, in their order. */
export function parametersOf({ endpoint }: Command): string[] {
  const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return names.filter((name) => name !== "organizationId");
}

/** What users call a parameter or a field. */
export function wordOf(name: string): string {
  const word = words[name] ?? name.replace(/Id$/, "");
  return word.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

const words: Readonly<Record<string, string>> = {
  externalId: "customer",
  customerExternalId: "customer",
  creditCurrencyKey: "currency",
  budgetKey: "budget",
  budgetKind: "kind",
  taxId: "tax-id",
};

/** A field of a request, and how its text is read. */
export interface Field {
  readonly name: string;
  readonly word: string;
  /** `list` is of texts. @default text */
  readonly type: "boolean" | "number" | "json" | "list" | "text";
  /** What it may be, if that is one of a few words. */
  readonly choices: readonly string[];
  readonly isNullable: boolean;
  readonly isRequired: boolean;
  readonly meaning: string;
}

const hidden = new Set(["etag", "cursor", "organizationId"]);

/** Whether a command prints a list; its `--limit` is of the whole, not of a part. */
export function isList({ endpoint: { kind } }: Command): boolean {
  return kind === "list" || kind === "all";
}

/** The fields of a command's request, as its schema has and describes them. */
export function fieldsOf(command: Command): Field[] {
  const { endpoint, flags } = command;
  const schema = endpoint.body ?? endpoint.query;
  if (schema === undefined) return [];
  const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const { properties, required } = objectOf(requestSchema.parse(json));
  return Object.entries(properties)
    .filter(([name]) => !hidden.has(name) && !(name === "limit" && isList(command)))
    .map(([name, property]) => ({
      name,
      word: flags[name] ?? wordOf(name),
      isRequired: required.includes(name),
      ...fieldOf(name, property),
    }));
}

const valueSchema = z.object({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.string()).optional(),
  const: z.string().optional(),
  items: z.looseObject({ type: z.string().optional() }).optional(),
});
const propertySchema = valueSchema.extend({
  description: z.string().optional(),
  anyOf: z.array(valueSchema).optional(),
});
type Property = z.output<typeof propertySchema>;

interface RequestSchema {
  readonly properties?: Readonly<Record<string, Property>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly allOf?: readonly RequestSchema[] | undefined;
  readonly anyOf?: readonly RequestSchema[] | undefined;
  readonly oneOf?: readonly RequestSchema[] | undefined;
}

const requestSchema: z.ZodType<RequestSchema> = z.lazy(() =>
  z.object({
    properties: z.record(z.string(), propertySchema).optional(),
    required: z.array(z.string()).optional(),
    allOf: z.array(requestSchema).optional(),
    anyOf: z.array(requestSchema).optional(),
    oneOf: z.array(requestSchema).optional(),
  }),
);

/** The fields of a request that may have several forms. */
function objectOf({ properties = {}, required = [], allOf = [], anyOf = [], oneOf = [] }: RequestSchema): {
  properties: Readonly<Record<string, Property>>;
  required: readonly string[];
} {
  const parts = allOf.map(objectOf);
  const forms = [...anyOf, ...oneOf].map(objectOf);
  const all: Record<string, Property> = {};
  for (const one of [{ properties }, ...parts, ...forms]) {
    for (const [name, property] of Object.entries(one.properties)) {
      const choices = [all[name], property].flatMap((either) => either?.const ?? either?.enum ?? []);
      all[name] = choices.length === 0 ? property : { ...property, const: undefined, enum: choices };
    }
  }
  const [first, ...others] = forms;
  const inEachForm = first?.required.filter((name) => others.every((form) => form.required.includes(name)));
  return {
    properties: all,
    required: [...required, ...parts.flatMap((part) => part.required), ...(inEachForm ?? [])],
  };
}

function fieldOf(name: string, { description = name, anyOf = [], ...own }: Property) {
  const values = [own, ...anyOf];
  const types = values.flatMap((value) => value.type ?? []);
  const items = values.find((value) => value.items !== undefined)?.items;
  return {
    type: typeOf(types.find((type) => type !== "null") ?? "string", items?.type),
    choices: values.flatMap((value) => value.enum ?? []),
    isNullable: types.includes("null"),
    meaning: `${description.charAt(0).toLowerCase()}${description.slice(1)}`,
  };
}

function typeOf(type: string, ofItems: string | undefined): Field["type"] {
  if (type === "array") return ofItems === "string" ? "list" : "json";
  if (type === "object") return "json";
  if (type === "integer" || type === "number") return "number";
  return type === "boolean" ? "boolean" : "text";
}
