import { z } from "zod";
import { type Edit, editFields, type Tagged, taggedFields } from "./etag.ts";

/** What an organisation may have of a kind, or may ask for in a second. */
export type LimitName =
  | "requestsPerSecond"
  | "reportsPerSecond"
  | "apiKeys"
  | "webhooks"
  | "agents"
  | "indicatorsOfAgent"
  | "versionsOfPrice"
  | "currencies"
  | "walletsOfCustomer"
  | "walletsOfOrder"
  | "members";

/** Their names. */
export const limitNames: readonly LimitName[] = [
  "requestsPerSecond",
  "reportsPerSecond",
  "apiKeys",
  "webhooks",
  "agents",
  "indicatorsOfAgent",
  "versionsOfPrice",
  "currencies",
  "walletsOfCustomer",
  "walletsOfOrder",
  "members",
];

/** A limit of an organisation. */
export interface AdminLimit {
  readonly name: string;
  /** What it may have, or ask each replica for; 0 of requests and reports: as many as it likes. */
  readonly most: number;
  /** Whether an operator has set it for this organisation. */
  readonly isOwn: boolean;
  /** What it has; `null` where that is not of the organisation, but of an agent, an order or a second. */
  readonly used: number | null;
}

/** The limits of an organisation. */
export interface LimitListAnswer extends Tagged {
  readonly limits: readonly AdminLimit[];
}

/** Limits to set for an organisation, each from 1 to 1,000,000. What is left out stays; `null` takes a limit back. */
export type LimitSetRequest = { readonly [Name in LimitName]?: number | null | undefined } & Edit;

const highest = 1_000_000;
const most = z.int().min(1).max(highest).nullish();

/** Parses the limits of an organisation. Fields that are not listed are passed on. */
export const limitListAnswer: z.ZodType<LimitListAnswer> = z.looseObject({
  ...taggedFields,
  limits: z.array(
    z.looseObject({
      name: z.string(),
      most: z.number(),
      isOwn: z.boolean(),
      used: z.number().nullable(),
    }),
  ),
});

/** Parses the body that sets limits. */
export const limitSetRequest: z.ZodType<LimitSetRequest> = z.strictObject({
  ...editFields,
  requestsPerSecond: most,
  reportsPerSecond: most,
  apiKeys: most,
  webhooks: most,
  agents: most,
  indicatorsOfAgent: most,
  versionsOfPrice: most,
  currencies: most,
  walletsOfCustomer: most,
  walletsOfOrder: most,
  members: most,
});
