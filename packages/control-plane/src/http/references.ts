import type { Database } from "../database/connection.ts";
import { Problem } from "./problem.ts";

/** A 404 that says what the request refers to; a name of another organisation is as unknown as any. */
export function unknown(what: "customer" | "agent" | "indicator" | "session", name: string): Problem {
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
  const customer = await database
    .selectFrom("customers")
    .select("external_id")
    .where("org_id", "=", orgId)
    .where("external_id", "=", customerId)
    .executeTakeFirst();
  if (customer === undefined) throw unknown("customer", customerId);
}
