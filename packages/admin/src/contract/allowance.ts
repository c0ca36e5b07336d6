import { type Data, identifier } from "@creditgate/client";
import { record } from "@creditgate/client/parts";
import { z } from "zod";
import { organization, tagged } from "./define-endpoint.ts";
import { grantCreateRequest } from "./grant.ts";
import { onlyOf, partFields, partOf, reasonField } from "./part.ts";
import { creditLimit } from "./wallet.ts";

const defineEndpoint = tagged("Customers and wallets");

const every = z.enum(["day", "week", "month"]);

const adminAllowance = record({
  allowanceId: z.string(),
  customerId: z.string(),
  creditCurrencyKey: z.string(),
  /** Of the next period; those of the present one are in its grant. */
  credits: z.number(),
  /** Credits of a period's remainder that stay for one period more. */
  rollover: z.number(),
  every,
  /** The day on which periods begin: of the week, 1 for Monday, or of the month. */
  anchor: z.number(),
  timeZone: z.string(),
  source: z.string(),
  priority: z.number(),
  /** The order whose benefit it is; `null`: none. */
  orderId: z.string().nullable(),
  /** The grant of the present period. */
  grantId: z.string(),
  /** When the present period began, or the last one. */
  period: z.string(),
  /** When the next period begins; `null`: none does. */
  nextAt: z.string().nullable(),
});

/** Credits of a prepaid wallet that recur: each period has a grant, which expires as the next one begins. */
export type AdminAllowance = Data<typeof adminAllowance>;

const { customerId, creditCurrencyKey, credits, source, priority, reason } = grantCreateRequest.shape;
const rollover = creditLimit.optional().describe("Credits of the remainder that stay for one period more");

export const allowanceCreateRequest = z.strictObject({
  customerId,
  creditCurrencyKey,
  credits: credits.describe("Credits of each period; above 0, at most 6 decimals"),
  every: every.describe("How often they recur"),
  /** @default 0 */
  rollover,
  /** @default that of the first period, at most 28 */
  anchor: z
    .int()
    .min(1)
    .max(28)
    .optional()
    .describe("The day on which periods begin: of the month, or of the week, 1 for Monday to 7"),
  /** @default that of the organisation, or UTC */
  timeZone: identifier.optional().describe("Whose calendar that goes by, as Europe/Amsterdam"),
  source,
  /** @default 50 */
  priority,
  reason,
});

/** Credits that recur. The first period begins now. */
export type AllowanceCreateRequest = Data<typeof allowanceCreateRequest>;

const allowanceChangeRequest = z.strictObject({
  credits: credits
    .optional()
    .describe("Credits of each period; more count at once, fewer from the next one on"),
  rollover,
  reason: reasonField,
});

/** What changes of an allowance; what is left out stays. */
export type AllowanceChangeRequest = Data<typeof allowanceChangeRequest>;

const path = `${organization}/allowances/{allowanceId}` as const;

/** Credits of prepaid wallets that recur. */
export const allowances = {
  /** By customer and currency, also those that have ended. Retried. */
  list: defineEndpoint({
    name: "allowanceList",
    path: `${organization}/allowances`,
    kind: "list",
    scope: "read",
    query: z.strictObject({ ...partFields, customerId: onlyOf.customerId }),
    answer: partOf({ allowances: z.array(adminAllowance) }),
    summary: "Lists credits that recur",
  }),
  /**
   * Makes an allowance, once for each `idempotencyKey`; its first period begins now. 404 `wallet_unknown`; 409 `customer_erased`; 422
   * `wallet_postpaid`, `amount_out_of_range`, `too_many_grants`.
   */
  create: defineEndpoint({
    name: "allowanceCreate",
    method: "POST",
    path: `${organization}/allowances`,
    kind: "once",
    onceAs: "admin/allowance",
    scope: "money",
    body: allowanceCreateRequest,
    answer: adminAllowance,
    summary: "Lets credits recur",
  }),
  /**
   * Changes an allowance. More credits count at once: less what the period has paid, they replace what remains. Fewer count from the next
   * period on. 409 `allowance_over` for one that has ended. Retried.
   */
  change: defineEndpoint({
    name: "allowanceChange",
    method: "POST",
    path: `${path}/change`,
    idempotent: true,
    scope: "money",
    body: allowanceChangeRequest,
    answer: adminAllowance,
    summary: "Changes credits that recur",
  }),
  /** Its present period is the last one. 409 `allowance_over` for one that has ended. Never retried once sent. */
  end: defineEndpoint({
    name: "allowanceEnd",
    method: "POST",
    path: `${path}/end`,
    scope: "money",
    body: z.strictObject({ reason: reasonField }),
    answer: adminAllowance,
    summary: "Ends credits that recur with their present period",
  }),
};
