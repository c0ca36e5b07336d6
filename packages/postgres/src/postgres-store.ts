import { parseResponse, type SharedStore } from "@creditgate/fleet";
import { identifier } from "./migrations.ts";
import { checkOptions, type PostgresOptions, placeNames, postgresSettings } from "./options.ts";
import { PreparedQuery } from "./prepared-query.ts";

/** Options of {@link createPostgresStore}. */
export interface PostgresStoreOptions extends PostgresOptions {
  /** An answer that takes longer has failed, and the sync is said again; milliseconds, 1 to 60_000. @default 2_000 */
  readonly timeoutMs?: number;
}

/**
 * A store that the processes of a fleet share, for a leased ledger. Creates what is missing at its first use; a role that may not
 * create needs an operator to have run `creditgate-postgres migrate`. Throws `invalid_option` for misuse.
 */
export function createPostgresStore(options: PostgresStoreOptions): SharedStore {
  checkOptions("createPostgresStore", options, { ...placeNames, timeoutMs: true });
  const { timeoutMs = 2_000, ...place } = options;
  const { query, schema } = postgresSettings(place);
  const prepared = new PreparedQuery(query, schema, timeoutMs);
  const exchange = `select ${identifier(schema)}.exchange($1, $2::text::jsonb)::text as answer`;
  return {
    // Later than it rejects by itself.
    timeoutMs: 2 * timeoutMs,
    async exchange(account, request) {
      const [row] = await prepared.run(exchange, [account, JSON.stringify(request)]);
      return parseResponse(JSON.parse(String(row?.answer)));
    },
  };
}
