import type pg from "pg";

/** Holds the row of a wallet, as a psql that somebody forgot does; returns what lets it go. */
export async function holdWallet(
  pool: pg.Pool,
  customerId: string,
  currency = "ai_credits",
): Promise<() => Promise<void>> {
  const client = await pool.connect();
  await client.query("begin");
  await client.query("select from wallets where customer_id = $1 and currency = $2 for update", [
    customerId,
    currency,
  ]);
  let isHeld = true;
  return async () => {
    if (!isHeld) return;
    isHeld = false;
    await client.query("rollback");
    client.release();
  };
}
