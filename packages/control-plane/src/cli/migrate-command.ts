import { grantToApp } from "../database/app-role.ts";
import { openDatabase } from "../database/open.ts";
import type { MigrateConfig } from "./config.ts";

/** Brings the schema up to date as its owner, and gives the role of servers and workers its rights. */
export async function runMigrate({ databaseUrl, appRole }: MigrateConfig): Promise<void> {
  const connection = await openDatabase(databaseUrl, 1, {
    onWait: ({ message }) => process.stderr.write(`creditgate: ${message}\n`),
  });
  try {
    if (appRole !== undefined) await grantToApp(connection.pool, appRole);
  } finally {
    await connection.close();
  }
  const granted = appRole === undefined ? "" : `, ${appRole} may use it`;
  process.stdout.write(`creditgate schema up to date${granted}\n`);
}
