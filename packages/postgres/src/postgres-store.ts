import { parseAnswer, type SharedStore } from "@creditgate/core";
import { identifier } from "./migrations.ts";
import { type PostgresOptions, postgresSettings } from "./options.ts";
import { Preparation } from "./preparation.ts";

/**
 * A store that the processes of a fleet share, for a leased ledger. Creates what is missing at its first use; a role that may not
 * create needs an operator to have run `creditgate-postgres migrate`. Throws `invalid_option` for misuse.
 */
export function createPostgresStore(options: PostgresOptions): SharedStore {
  const { query, schema } = postgresSettings(options);
  const preparation = new Preparation(query, schema);
  const exchange = `select ${identifier(schema)}.exchange($1, $2::text::jsonb)::text as answer`;
  return {
    async exchange(account, word) {
      await preparation.done();
      const [row] = await query(exchange, [account, JSON.stringify(word)]);
      return parseAnswer(JSON.parse(String(row?.answer)));
    },
  };
}
