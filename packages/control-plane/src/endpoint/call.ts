import type { Endpoint } from "@creditgate/client";
import type { z } from "zod";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import type { CsvAnswer } from "../http/csv.ts";
import type { EventStreamAnswer } from "../http/event-stream.ts";
import { type Json, stringify } from "../http/json.ts";
import type { PageAnswer } from "../http/page-answer.ts";
import type { Visitor } from "../people/person.ts";
import type { Answer } from "./idempotency.ts";

type Carried<Of extends Endpoint> = NonNullable<Of["carries"]>;

/** A request to an endpoint, by one who may make it, with what it carries read and checked. */
export interface Call<Of extends Endpoint> {
  readonly orgId: bigint;
  /** Who is named in the audit log. */
  readonly actor: string;
  /** Of the admin API: who asks, and what that one may do. */
  readonly visitor: Visitor;
  readonly at: Date;
  readonly params: Readonly<Record<Carried<Of>["parameter"], string>>;
  readonly query: Carried<Of>["query"];
  readonly body: Carried<Of>["body"];
  /** The last event that the client has received of a stream. */
  readonly lastEventId: string | undefined;
  /** Does the effect once for each `Idempotency-Key`, in one transaction with its answer. */
  once(perform: (transaction: DatabaseTransaction) => Promise<Answer>): Promise<Answer>;
  readonly database: Database;
}

/** What an endpoint does. */
export type Handler<Of extends Endpoint> = (call: Call<Of>) => Promise<Answer>;

/** What an endpoint does that answers a file. */
export type CsvHandler<Of extends Endpoint> = (call: Call<Of>) => Promise<CsvAnswer>;

/** What an endpoint does that answers a page. */
export type PageHandler<Of extends Endpoint> = (call: Call<Of>) => Promise<PageAnswer>;

/** The handler of an endpoint that streams events. */
export type StreamHandler<Of extends Endpoint> = (call: Call<Of>) => Promise<EventStreamAnswer>;

/** What the endpoints of a table do. */
export type Handlers<Of> = {
  readonly [Name in keyof Of]: Of[Name] extends Endpoint ? Handler<Of[Name]> : never;
};

/** How what an endpoint carries is read: a schema for each part that its type has. */
export type Readers<Of extends Endpoint> = Reader<"body", Carried<Of>["body"]> &
  Reader<"query", Carried<Of>["query"]>;

type Reader<Part extends string, Value> = undefined extends Value
  ? { readonly [part in Part]?: never }
  : { readonly [part in Part]: { readonly schema: z.ZodType<Value> } };

export function answer(status: number, body: Json): Answer {
  return { status, body: stringify(body) };
}
