import type { Database } from "../src/database/connection.ts";

/** The database, with something that happens after each query. */
export function afterQueries(database: Database, happen: () => unknown): Database {
  return database.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await happen();
      return result;
    },
  });
}
