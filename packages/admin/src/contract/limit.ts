import { record } from "@creditgate/client/parts";
import { z } from "zod";
import { organization, tagged } from "./define-endpoint.ts";
import { editFields, taggedFields } from "./etag.ts";

const defineEndpoint = tagged("Organisations");

/** What an organisation may have of a kind, or may ask for in a second. */
export const limitNames = [
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
] as const;

export type LimitName = (typeof limitNames)[number];

const highest = 1_000_000;
const most = z.int().min(1).max(highest).nullish();

const limitListAnswer = record({
  ...taggedFields,
  limits: z.array(
    record({
      name: z.string(),
      /** What it may have, or ask each replica for; 0 of requests and reports: as many as it likes. */
      most: z.number(),
      /** Whether an operator has set it for this organisation. */
      isOwn: z.boolean(),
      /** What it has; `null` where that is not of the organisation, but of an agent, an order or a second. */
      used: z.number().nullable(),
    }),
  ),
});

/** Limits to set for an organisation, each from 1 to 1,000,000. What is left out stays; `null` takes a limit back. */
const limitSetRequest = z.strictObject({
  ...editFields,
  ...(Object.fromEntries(limitNames.map((name) => [name, most])) as Record<LimitName, typeof most>),
});

/** What an organisation may have, and ask for. */
export const limits = {
  /** All of them, with what it has. Retried. */
  list: defineEndpoint({
    name: "limitList",
    path: `${organization}/limits`,
    scope: "read",
    answer: limitListAnswer,
    summary: "Lists what an organisation may have, and what it has",
  }),
  /** Sets limits for this organisation; an operator's. Retried. */
  set: defineEndpoint({
    name: "limitSet",
    method: "POST",
    path: `${organization}/limits`,
    idempotent: true,
    scope: "operator",
    body: limitSetRequest,
    answer: limitListAnswer,
    summary: "Sets limits for an organisation",
  }),
};
