import { invalidOption } from "@creditgate/core/adapter";
import { type OperatedStore, runStoreProgram, type Terminal } from "@creditgate/fleet/operator";
import {
  initPostgresStore,
  listReservations,
  migratePostgres,
  operatePostgresOutbox,
  resolveReservation,
} from "./operator.ts";
import type { PostgresOptions } from "./options.ts";
import type { PgPool } from "./sql.ts";

const optionsUsage = `  --database URL   the database                            (DATABASE_URL)
  --schema NAME    the schema of the tables                (creditgate_fleet)
  --name NAME      of outbox: that of createPostgresOutbox (default)
`;

/** Runs `creditgate postgres` with what follows it; resolves with the exit code: 1 if it could not, 2 for wrong input. */
export function main(args: readonly string[], terminal: Terminal): Promise<number> {
  const program = {
    name: "creditgate postgres",
    options: { database: { type: "string" }, schema: { type: "string" }, name: { type: "string" } },
    optionsUsage,
    migrates: true,
    async open(command, { process }, use) {
      const connectionString = command.text("database") ?? process.env.DATABASE_URL;
      if (!connectionString)
        invalidOption("--database", "the URL of a database, or DATABASE_URL", connectionString);
      const { Pool } = await loadDriver();
      const sql = new Pool({ connectionString, max: 1 });
      try {
        const schema = command.text("schema");
        await use(operated({ sql, ...(schema !== undefined && { schema }) }, command.text("name")));
      } finally {
        await sql.end();
      }
    },
  } satisfies Parameters<typeof runStoreProgram>[0];
  return runStoreProgram(program, args, terminal);
}

function operated(options: PostgresOptions, name: string | undefined): OperatedStore {
  return {
    migrate: () => migratePostgres(options),
    ledger: {
      init: () => initPostgresStore(options),
      list: () => listReservations(options),
      resolve: (account, process) => resolveReservation(options, account, process),
    },
    outbox: operatePostgresOutbox({ ...options, ...(name !== undefined && { name }) }),
  };
}

interface Driver {
  readonly Pool: new (options: {
    connectionString: string;
    max: number;
  }) => PgPool & { end(): Promise<void> };
}

/** Only the command line needs a driver of its own. */
const driver: string = "pg";

async function loadDriver(): Promise<Driver> {
  try {
    const { default: loaded }: { readonly default: Driver } = await import(driver);
    return loaded;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")) throw error;
    return invalidOption("pg", "the package to be installed beside this one (npm install pg)", "none");
  }
}
