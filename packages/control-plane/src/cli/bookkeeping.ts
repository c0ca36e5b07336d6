import { grantToApp } from "../database/app-role.ts";
import type { Database } from "../database/connection.ts";
import { databaseTime } from "../database/database-clock.ts";
import { attachEmbeddedPostgres } from "../database/embedded/embedded-postgres.ts";
import { openDatabase, openExisting } from "../database/open.ts";
import { ControlPlaneError } from "../errors/control-plane-error.ts";
import { describeFailure } from "../periods/failures.ts";
import { closePeriods } from "../periods/period.ts";
import { verify } from "../verification/wallets.ts";
import type { ClosePeriodConfig, MigrateConfig, VerifyConfig } from "./config.ts";

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

/** Runs a command that looks at the books once; resolves its exit code: 1 where `verify` finds a difference, or nothing to verify. */
export async function keepBooks(
  config: ClosePeriodConfig | VerifyConfig,
  report: (error: unknown) => void,
): Promise<number> {
  const embedded =
    config.databaseUrl === undefined ? await attachEmbeddedPostgres(config.data, report) : undefined;
  try {
    const connection = await openExisting(config.databaseUrl ?? embedded?.databaseUrl ?? "", 2);
    try {
      return config.command === "verify"
        ? await printDifferences(connection.database)
        : await closeByHand(connection.database, config);
    } finally {
      await connection.close();
    }
  } finally {
    await embedded?.stop();
  }
}

async function printDifferences(database: Database): Promise<number> {
  const { organizations, wallets, entries, differences } = await verify(database);
  if (organizations === 0n) {
    process.stdout.write("nothing to verify: the database has no organisation. Is it the right one?\n");
    return 1;
  }
  for (const { what, orgId, subject, expected, received } of differences) {
    process.stdout.write(
      `${what} ${subject} of organisation ${orgId}: expected ${expected}, received ${received}\n`,
    );
  }
  process.stdout.write(`${wallets} wallets, ${entries} entries, ${differences.length} differences\n`);
  return differences.length === 0 ? 0 : 1;
}

async function closeByHand(database: Database, config: ClosePeriodConfig): Promise<number> {
  const { organization, early, periodSettings } = config;
  const orgId = organization === undefined ? undefined : await organizationNamed(database, organization);
  const closed = await closePeriods({
    database,
    defaults: periodSettings,
    now: new Date(await databaseTime(database)),
    early,
    ...(orgId === undefined ? {} : { orgId }),
    actor: "creditgate close-period",
    onFailure: (failure) => process.stderr.write(`creditgate: ${describeFailure(failure)}\n`),
  });
  process.stdout.write(`${closed.invoices} invoices\n`);
  if (closed.waiting > 0) {
    process.stdout.write(`${closed.waiting} organisations wait until their usage is settled: try again\n`);
  }
  return closed.failures === 0 ? 0 : 1;
}

async function organizationNamed(database: Database, name: string): Promise<bigint> {
  const organization = await database
    .selectFrom("organizations")
    .select("org_id")
    .where("name", "=", name)
    .executeTakeFirst();
  if (organization !== undefined) return organization.org_id;
  throw new ControlPlaneError(
    "config_invalid",
    `--organization: expected the name of an organisation, received ${name}`,
  );
}
