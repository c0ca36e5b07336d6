import { type Data, identifier } from "@creditgate/client";
import { record } from "@creditgate/client/parts";
import { z } from "zod";
import { organization, tagged } from "./define-endpoint.ts";
import { editFields, taggedFields } from "./etag.ts";
import { partOf, partQuery, validFrom } from "./part.ts";
import { completeTerms, type Rates, termsFields } from "./terms.ts";
import { usageCost, usageCostQuery } from "./usage-cost.ts";

const defineEndpoint = tagged("Agents and prices");

const indicatorCreateRequest = z
  .strictObject({ name: identifier.describe("Its name"), ...termsFields })
  .superRefine(completeTerms);

const priceSetRequest = z
  .strictObject({ ...editFields, ...termsFields, validFrom })
  .superRefine(completeTerms);

const rate = z.union([z.number(), z.string()]);
const rates: z.ZodType<Rates> = z.looseObject({ perUnit: z.record(z.string(), rate).optional() });

const price = {
  /** 1, 2, 3 … in the order in which they were set. */
  version: z.int(),
  validFrom: z.string(),
  /** `admin:<name>`, `user:<e-mail>` or `fixture`; `null` where it was set before that was noted. */
  setBy: z.string().nullable(),
  /** When; `null` where it was set before that was noted. */
  setAt: z.string().nullable(),
  /** Whether it holds now. */
  inForce: z.boolean(),
  billing: z.string(),
  currency: z.string().nullable(),
  /** Rates as decimal text. */
  price: rates,
  modelPrices: z.array(
    record({ provider: z.string(), model: z.string(), plan: z.string().optional(), price: rates }),
  ),
  ...taggedFields,
};

export const adminPrice = record(price);

/** Terms of an indicator, from some instant on, until others hold. */
export type AdminPrice = Data<typeof adminPrice>;

const adminIndicator = record({ name: z.string(), ...price });

/** An indicator, with the terms that hold now. */
export type AdminIndicator = Data<typeof adminIndicator>;

const agentPath = `${organization}/agents/{agentId}` as const;
const indicatorPath = `${agentPath}/indicators/{indicator}` as const;

/** The indicators of an organisation's agents, and what they cost. */
export const indicators = {
  /** The indicators of an agent, by name, each with the terms that hold now. */
  of: defineEndpoint({
    name: "indicatorList",
    path: `${agentPath}/indicators`,
    kind: "list",
    scope: "read",
    query: partQuery,
    answer: partOf({ indicators: z.array(adminIndicator) }),
    summary: "Lists the indicators of an agent, as they bill now",
  }),
  /** A new indicator, whose terms hold from now on; 409 `indicator_exists` where the agent has one of this name. Never retried once sent. */
  create: defineEndpoint({
    name: "indicatorCreate",
    method: "POST",
    path: `${agentPath}/indicators`,
    scope: "money",
    body: indicatorCreateRequest,
    answer: adminIndicator,
    summary: "Creates an indicator",
    statuses: [201],
  }),
  /** All terms that an indicator has had and will have, the last to hold first. */
  prices: defineEndpoint({
    name: "priceList",
    path: `${indicatorPath}/prices`,
    kind: "list",
    scope: "read",
    query: partQuery,
    answer: partOf({ prices: z.array(adminPrice) }),
    summary: "Lists all versions of a price, the last to hold first",
  }),
  /**
   * Gives an indicator other terms from an instant on; what was used before costs what it did. Where the same terms hold
   * already they stay as they are. A fixture does not take them back. 422 `valid_from_past`. Retried.
   */
  setPrice: defineEndpoint({
    name: "priceSet",
    method: "POST",
    path: `${indicatorPath}/prices`,
    idempotent: true,
    scope: "money",
    body: priceSetRequest,
    answer: adminPrice,
    summary: "Sets a price, from now on or later",
    statuses: [200, 201],
  }),
  cost: defineEndpoint({
    name: "usageCost",
    path: `${indicatorPath}/cost`,
    scope: "read",
    query: usageCostQuery,
    answer: usageCost,
    summary: "Returns what a use would cost",
  }),
};
