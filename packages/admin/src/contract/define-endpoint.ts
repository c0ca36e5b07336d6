import type { Data, Endpoint } from "@creditgate/client";
import type { z } from "zod";
import type { MemberRole } from "./role.ts";

/**
 * What a request to the admin API requires: a role in the organisation that it names, or else
 * - `operator`: one who may do everything in every organisation, as an admin token does;
 * - `user`: anyone who has signed in, also by a token;
 * - `session`: a person who has signed in, and no token;
 * - `anyone`: nothing.
 */
export type AdminScope = MemberRole | "operator" | "user" | "session" | "anyone";

/**
 * What an endpoint answers:
 * - `record`: one object;
 * - `once`: one object, and the effect happens once for each `Idempotency-Key`;
 * - `list`: an array, and in `next` the cursor of the part after;
 * - `all`: as `list`, but short: the client reads all parts at once;
 * - `csv`, `page`, `events`, `redirect`: no JSON, and the client has no method for it.
 */
export type AnswerKind = "record" | "once" | "list" | "all" | "csv" | "page" | "events" | "redirect";

/** An operation of the admin API: its route, what it requires, carries and answers, and what the documentation says of it. */
export interface AdminEndpoint<
  Name extends string = string,
  Path extends string = string,
  Kind extends AnswerKind = AnswerKind,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> extends Endpoint<Data<Body>, Data<Query>, ParametersOf<Path>> {
  readonly name: Name;
  readonly path: Path;
  readonly kind: Kind;
  readonly scope: AdminScope;
  readonly query?: Query;
  readonly body?: Body;
  readonly answer?: Answer;
  readonly tag: string;
  readonly summary: string;
  /** Of success. */
  readonly statuses: readonly number[];
  /** What the answers of the kind `once` are kept under: another name forgets them. */
  readonly onceAs?: string;
  /** Whether its handler limits the attempts of strangers from all addresses together. @default false */
  readonly countsAttempts?: boolean;
}

/** The names of the parameters in a path, but for the organisation's. */
type ParametersOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Exclude<Name, "organizationId"> | ParametersOf<Rest>
  : never;

interface Definition<Name, Path, Kind, Query, Body, Answer>
  extends Pick<AdminEndpoint, "scope" | "summary" | "onceAs" | "countsAttempts"> {
  /** Of messages, telemetry and the documentation. */
  readonly name: Name;
  readonly path: Path;
  /** @default "GET" */
  readonly method?: "POST";
  /** @default "record" */
  readonly kind?: Kind;
  /** Whether it is safe to repeat. @default whether it only reads */
  readonly idempotent?: boolean;
  readonly query?: Query;
  readonly body?: Body;
  readonly answer?: Answer;
  /** @default [200] */
  readonly statuses?: readonly number[];
}

/** Returns what states an operation under this heading: route, types, checks, documentation and the method of the client come from it. */
export function tagged(tag: string) {
  return <
    const Name extends string,
    const Path extends string,
    const Kind extends AnswerKind = "record",
    Query extends z.ZodType = z.ZodUndefined,
    Body extends z.ZodType = z.ZodUndefined,
    Answer extends z.ZodType = z.ZodUndefined,
  >(
    definition: Definition<Name, Path, Kind, Query, Body, Answer>,
  ): AdminEndpoint<Name, Path, Kind, Query, Body, Answer> => {
    const { kind = "record" as Kind, method = "GET", idempotent = method === "GET" } = definition;
    return { statuses: [200], ...definition, tag, method, kind, idempotent, keyed: kind === "once" };
  };
}

/** Of all organisations. */
export const service = "/admin/api";

/** Of one organisation. */
export const organization = "/admin/api/organizations/{organizationId}";
