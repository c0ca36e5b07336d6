import type { Database, DatabaseTransaction } from "../database/connection.ts";
import { agentExists, customerExists } from "../database/existence.ts";
import { Problem } from "./problem.ts";

type Referent =
  | "customer"
  | "agent"
  | "indicator"
  | "order"
  | "invoice"
  | "credit_note"
  | "organization"
  | "api_key"
  | "session"
  | "usage"
  | "wallet"
  | "budget"
  | "grant"
  | "gate"
  | "webhook"
  | "event"
  | "user"
  | "user_token"
  | "invitation";

/** A 404 that says what the request refers to; a name of another organisation is as unknown as any. */
export function unknown(what: Referent, name: string): Problem {
  return new Problem(
    404,
    `${what}_unknown`,
    `${what}: expected one that exists, received ${JSON.stringify(name)}`,
  );
}

export async function requireCustomer(
  database: Pick<Database, "selectFrom">,
  orgId: bigint,
  customerId: string,
): Promise<void> {
  if (!(await customerExists(database, orgId, customerId))) throw unknown("customer", customerId);
}

/** Throws, also a 409 for a customer who is erased: an erasure waits, and ends what is made in this transaction. */
export async function requireUnerased(
  transaction: DatabaseTransaction,
  orgId: bigint,
  customerId: string,
): Promise<void> {
  const customer = await transaction
    .selectFrom("customers")
    .select("erased_at")
    .where("org_id", "=", orgId)
    .where("external_id", "=", customerId)
    .forShare()
    .executeTakeFirst();
  if (customer === undefined) throw unknown("customer", customerId);
  if (customer.erased_at !== null)
    throw new Problem(
      409,
      "customer_erased",
      "customer: expected one that is not erased, received an erased one: edit the customer first",
    );
}

export async function requireAgent(
  database: Pick<Database, "selectFrom">,
  orgId: bigint,
  agentId: string,
): Promise<void> {
  if (!(await agentExists(database, orgId, agentId))) throw unknown("agent", agentId);
}

/** Whether a name out of a path can be one of our ids; what cannot be is unknown without asking the database. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
