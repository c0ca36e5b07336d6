import { z } from "zod";
import { identifier, line } from "./text.ts";

/** A customer to create, or to get when the external ID is known (API, sections 2.2 and 4.3). */
export interface CustomerCreateOrGetRequest {
  /** The caller's own ID of the customer. */
  readonly externalId: string;
  readonly name: string;
  /** `null` says what leaving it out says: it is not known. So with `country` and `city`. */
  readonly email?: string | null | undefined;
  /** Two upper-case letters. */
  readonly country?: string | null | undefined;
  readonly city?: string | null | undefined;
}

/** Query of the subscription endpoint (API, section 4.3). */
export interface CustomerSubscriptionQuery {
  /** The agent for which the customer's state is asked. */
  readonly agentId?: string | undefined;
}

/** What is known of a customer, each as it may be. */
export const customerFields: {
  readonly name: z.ZodType<string>;
  readonly email: z.ZodType<string | null | undefined>;
  readonly country: z.ZodType<string | null | undefined>;
  readonly city: z.ZodType<string | null | undefined>;
} = {
  name: line(1, 256),
  email: line(1, 320).nullish(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, "Invalid input: expected two upper-case letters")
    .nullish(),
  city: line(1, 256).nullish(),
};

/** Parses the body of create-or-get (API, section 4.3). */
export const customerCreateOrGetRequest: z.ZodType<CustomerCreateOrGetRequest> = z.object({
  externalId: identifier,
  ...customerFields,
});

/** Parses the query of the subscription endpoint (API, section 4.3). */
export const customerSubscriptionQuery: z.ZodType<CustomerSubscriptionQuery> = z.object({
  agentId: identifier.optional(),
});
