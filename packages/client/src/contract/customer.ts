import { z } from "zod";
import { type Data, identifier, line } from "./fields.ts";

/** What is known of a customer, each as it may be. `null` says what leaving it out says: it is not known. */
export const customerFields = {
  name: line(1, 256).describe("What it is called"),
  email: line(1, 320).nullish().describe("Its address"),
  /** Two upper-case letters. */
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, "Invalid input: expected two upper-case letters")
    .nullish()
    .describe("Two upper-case letters"),
  city: line(1, 256).nullish().describe("Its city"),
};

/** Parses the body of create-or-get (API, section 4.3). */
export const customerCreateOrGetRequest = z.object({
  /** The caller's own ID of the customer. */
  externalId: identifier,
  ...customerFields,
});

/** A customer to create, or to get when the external ID is known (API, sections 2.2 and 4.3). */
export type CustomerCreateOrGetRequest = Data<typeof customerCreateOrGetRequest>;

/** Parses the query of the subscription endpoint (API, section 4.3). */
export const customerSubscriptionQuery = z.object({
  /** The agent for which the customer's state is asked. */
  agentId: identifier.optional(),
});

/** Query of the subscription endpoint (API, section 4.3). */
export type CustomerSubscriptionQuery = Data<typeof customerSubscriptionQuery>;
