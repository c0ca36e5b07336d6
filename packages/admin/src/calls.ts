import type { CallInput, CallOptions, Data, KeyedCallOptions, Transport } from "@creditgate/client";
import { call, checkInput, checkKeyed, checkPath } from "@creditgate/client/parts";
import type { z } from "zod";
import type { AdminEndpoint, AnswerKind } from "./contract/define-endpoint.ts";

/** A list that is answered in parts. */
export interface Listing<Query, Answer> {
  /** A part of the list, and in `next` the `cursor` of the one after. Retried. */
  list(...input: [...Request<Query>, options?: CallOptions]): Promise<Answer>;
  /** Item after item; each part is fetched when it is needed. What is added meanwhile moves nothing. */
  all(...input: [...Request<Query>, options?: CallOptions]): AsyncGenerator<ItemOf<Answer>, void, undefined>;
}

/** The methods for a group of endpoints, by their names in it; a `list` that comes in parts gives `list` and `all`. */
export type Calls<Group> = {
  readonly [Key in keyof Group as Group[Key] extends Silent
    ? never
    : Key extends "list"
      ? Group[Key] extends AdminEndpoint<string, string, "list">
        ? never
        : Key
      : Key]: Group[Key] extends AdminEndpoint ? Call<Group[Key]> : Calls<Group[Key]>;
} & (Group extends { readonly list: infer List extends AdminEndpoint<string, string, "list"> }
  ? Call<List>
  : unknown);

/** Those whose answer is no JSON. */
type Silent = AdminEndpoint<string, string, "csv" | "page" | "events" | "redirect">;

type Call<Of extends AdminEndpoint> = Of["kind"] extends "list"
  ? Ids<Of["path"]> extends []
    ? Listing<Carried<Of>["query"], AnswerOf<Of>>
    : (...ids: Ids<Of["path"]>) => Listing<Carried<Of>["query"], AnswerOf<Of>>
  : Of["kind"] extends "all"
    ? (options?: CallOptions) => Promise<readonly ItemOf<AnswerOf<Of>>[]>
    : (
        ...input: [...Ids<Of["path"]>, ...RequestOf<Carried<Of>>, ...OptionsOf<Of["kind"]>]
      ) => Promise<AnswerOf<Of>>;

type Carried<Of extends AdminEndpoint> = NonNullable<Of["carries"]>;
type AnswerOf<Of extends AdminEndpoint> = Data<NonNullable<Of["answer"]>>;

/** A list answers one array. */
type ItemOf<Answer> = {
  [Key in keyof Answer]: Answer[Key] extends readonly (infer Item)[] ? Item : never;
}[keyof Answer];

/** One for each parameter of the path, but the organisation's. */
type Ids<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name extends "organizationId"
    ? Ids<Rest>
    : [id: string, ...Ids<Rest>]
  : [];

type RequestOf<Of extends { readonly body: unknown; readonly query: unknown }> = [Of["body"]] extends [
  undefined,
]
  ? Request<Of["query"]>
  : Request<Of["body"]>;

/** It may be left out if all that is in it may. */
type Request<Fields> = [Fields] extends [undefined]
  ? []
  : Partial<Fields> extends Fields
    ? [request?: Fields]
    : [request: Fields];

type OptionsOf<Kind extends AnswerKind> = Kind extends "once"
  ? [options: KeyedCallOptions]
  : [options?: CallOptions];

type Params = Readonly<Record<string, string>>;

/** Creates the methods for a group of endpoints, each of which checks what it sends and what is answered. */
export function createCalls<Group extends object>(
  group: Group,
  transport: Transport,
  params: Params = {},
): Calls<Group> {
  const calls: Record<string, unknown> = {};
  for (const [name, of] of Object.entries(group)) {
    if (!isEndpoint(of)) calls[name] = createCalls(of, transport, params);
    else if (of.kind === "list" && name === "list")
      Object.assign(calls, createListing(transport, of, params));
    else if (of.answer !== undefined) calls[name] = createCall(transport, of, params);
  }
  // Each method is of its endpoint's type.
  return calls as Calls<Group>;
}

/** Whether it is an endpoint, and no group of them. */
export function isEndpoint(of: object): of is AdminEndpoint {
  return "path" in of;
}

function createCall(transport: Transport, endpoint: AdminEndpoint, params: Params): unknown {
  const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)]
    .map(([, name = ""]) => name)
    .filter((name) => !(name in params));
  const paramsOf = (ids: readonly unknown[]): Params => {
    const own = Object.fromEntries(names.map((name, index) => [name, ids[index] as string]));
    return { ...params, ...checkPath(endpoint, own) };
  };
  switch (endpoint.kind) {
    case "list":
      if (names.length === 0) return createListing(transport, endpoint, params);
      return (...ids: unknown[]) => createListing(transport, endpoint, paramsOf(ids));
    case "all":
      return async (options?: CallOptions) => {
        const items: unknown[] = [];
        for await (const item of createListing(transport, endpoint, params).all({ limit: 100 }, options))
          items.push(item);
        return items;
      };
    default:
      return async (...input: unknown[]) => {
        const isBare = endpoint.query === undefined && endpoint.body === undefined;
        const [request = {}, options] = isBare ? [undefined, input[names.length]] : input.slice(names.length);
        if (endpoint.keyed) checkKeyed(endpoint, options as KeyedCallOptions);
        return send(transport, endpoint, paramsOf(input), request as object, options as CallOptions);
      };
  }
}

function createListing(transport: Transport, endpoint: AdminEndpoint, params: Params) {
  return {
    list: async (query: object = {}, options?: CallOptions) =>
      send(transport, endpoint, params, query, options),
    async *all(query: object = {}, options?: CallOptions): AsyncGenerator<unknown, void, undefined> {
      let cursor: unknown;
      do {
        const from = cursor === undefined ? query : { ...query, cursor };
        const part = await send(transport, endpoint, params, from, options);
        for (const field of Object.values(part)) if (Array.isArray(field)) yield* field;
        cursor = "next" in part ? (part.next ?? undefined) : undefined;
      } while (cursor !== undefined);
    },
  };
}

async function send(
  transport: Transport,
  endpoint: AdminEndpoint,
  params: Params,
  request: object,
  options: CallOptions | undefined,
): Promise<object> {
  const { query, body, answer } = endpoint;
  const input: CallInput = {
    params,
    ...(query === undefined ? {} : { query: { ...(checkInput(endpoint, query, request) as object) } }),
    ...(body === undefined ? {} : { body: checkInput(endpoint, body, request) }),
  };
  return call(transport, endpoint, answer as z.ZodType<object>, input, options);
}
