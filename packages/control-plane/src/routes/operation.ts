import type { ApiKeyScope } from "@creditgate/admin";
import type { z } from "zod";
import type { Served } from "../endpoint/endpoint-routes.ts";

/** An endpoint: who may call it, what it takes, and what the documentation says of it. */
export interface Operation extends Served {
  /** What an API key must have. */
  readonly scope: ApiKeyScope;
  /** Bytes of a body at most. @default 16 KiB */
  readonly maxBytes?: number;
  /** Answered before Express, by `usageEndpoints`. @default false */
  readonly isFast?: boolean;
  readonly summary: string;
  /** Section of the spec; none where the operation is ours. */
  readonly section?: string;
  readonly tag:
    | "Wallets"
    | "Usage"
    | "Customers"
    | "Orders and invoices"
    | "Agents"
    | "Voice tracking"
    | "Gates";
  readonly query?: QueryReader;
  readonly body?: BodyReader;
  /** Examples of the parameters in the path. */
  readonly path?: Readonly<Record<string, string>>;
  /** What success answers, by status: the name of one of `answers`. */
  readonly answers: Readonly<Record<number, string>>;
  /** Errors beyond those that every operation has. */
  readonly errors?: readonly (404 | 409 | 422)[];
}

interface BodyReader {
  readonly schema: z.ZodType;
  readonly example: object;
}

export interface QueryReader {
  readonly schema: z.ZodType;
  readonly example: Readonly<Record<string, string | number>>;
}
