import type pg from "pg";

/** Locks a table against everybody, as a migration by hand does, or in another mode; returns what unlocks it. */
export async function lockTable(
  pool: pg.Pool,
  table: string,
  mode = "access exclusive",
): Promise<() => Promise<void>> {
  const client = await pool.connect();
  await client.query("begin");
  await client.query(`lock table ${table} in ${mode} mode`);
  return async () => {
    await client.query("rollback");
    client.release();
  };
}
