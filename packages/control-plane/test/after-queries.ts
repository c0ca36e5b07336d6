import type { Database } from "../src/database/connection.ts";

/** The database, with something that happens after each query that does not insert. */
export function afterQueries(database: Database, happen: () => unknown): Database {
  const inserts = new WeakSet<object>();
  return database.withPlugin({
    transformQuery({ node, queryId }) {
      if (node.kind === "InsertQueryNode") inserts.add(queryId);
      return node;
    },
    async transformResult({ result, queryId }) {
      if (!inserts.has(queryId)) await happen();
      return result;
    },
  });
}
