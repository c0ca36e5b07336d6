import pg from "pg";

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Remembers what this process asks of PostgreSQL: a control plane in this process has no other way to tell. */
export function recordStatements(): { take(): readonly Statement[] } {
  let statements: Statement[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function record(this: pg.Client, ...given: unknown[]): unknown {
    const [text, values] = given;
    if (typeof text === "string") statements.push({ text, values: Array.isArray(values) ? values : [] });
    return Reflect.apply(query, this, given);
  } as typeof query;
  return {
    take() {
      const taken = statements;
      statements = [];
      return taken;
    },
  };
}

/** How PostgreSQL answers a statement, step by step. */
export async function explain(client: pg.ClientBase, { text, values }: Statement): Promise<string> {
  const { rows } = await client.query<{ "QUERY PLAN": string }>(`explain (analyze, buffers) ${text}`, [
    ...values,
  ]);
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}
