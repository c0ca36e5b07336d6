import type { TestControlPlane } from "@creditgate/control-plane/testing";
import pg from "pg";
import { fixtureOf } from "../gated-api.ts";

const funds = 1_000_000_000;

/** Ten customers who can pay for anything; a message costs 1. */
export const richCustomers: ReturnType<typeof fixtureOf> = fixtureOf(
  Object.fromEntries(
    Array.from({ length: 10 }, (_, at) => [
      `customer-${at}`,
      { kind: "prepaid", currency: "ai_credits", available: funds },
    ]),
  ),
);

/** What the control plane has in its books: how often each report was counted, by the model that names it. */
export interface Books {
  readonly counts: ReadonlyMap<string, number>;
  /** How many were counted, repetitions included. */
  readonly total: number;
  /** What all wallets together have paid. */
  readonly paid: number;
}

export async function readBooks(controlPlane: TestControlPlane): Promise<Books> {
  await controlPlane.settled();
  const database = new pg.Client({ connectionString: controlPlane.databaseUrl });
  await database.connect();
  try {
    const { rows } = await database.query<{ model: string; count: string }>(
      "SELECT raw_usage->>'model' AS model, count(*) AS count FROM usage_reports GROUP BY 1",
    );
    const counts = new Map(rows.map(({ model, count }) => [model, Number(count)]));
    let paid = 0;
    for (const { externalId } of richCustomers.customers ?? []) {
      const { ai_credits } = await controlPlane.balance(externalId);
      paid += funds - (ai_credits?.available ?? funds);
    }
    return { counts, total: rows.reduce((sum, { count }) => sum + Number(count), 0), paid };
  } finally {
    await database.end();
  }
}

/** Those of the wanted that are not in the books, and those that are there more than once. */
export function audit({ counts }: Books, wanted: readonly string[]) {
  return {
    lost: wanted.filter((model) => !counts.has(model)),
    twice: [...counts].filter(([, count]) => count > 1).map(([model]) => model),
  };
}
