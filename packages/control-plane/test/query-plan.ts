import { type CompiledQuery, Kysely, PostgresDialect } from "kysely";
import type pg from "pg";
import type { Database } from "../src/database/connection.ts";
import type { Tables } from "../src/database/tables.ts";

/** What PostgreSQL did to answer a query. */
export interface Plan {
  /** The rows of a table that were read, those that were thrown away included. */
  rowsOf(table: string): number;
  /** The tables that were read from end to end. */
  readonly scanned: readonly string[];
  /** The indexes that were read. */
  readonly indexes: readonly string[];
}

/** A database that remembers what it was asked. */
export function recorder(pool: pg.Pool): { readonly database: Database; readonly queries: CompiledQuery[] } {
  const queries: CompiledQuery[] = [];
  const database = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => {
      queries.push(query);
    },
  });
  return { database, queries };
}

interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Runs a query again, and tells how it is answered. */
export async function explain(
  pool: pg.Pool | pg.ClientBase,
  query: Pick<CompiledQuery, "sql" | "parameters"> | undefined,
): Promise<Plan> {
  if (query === undefined) throw new Error("There is no query to explain.");
  const { rows } = await pool.query<{ "QUERY PLAN": readonly { readonly Plan: PlanNode }[] }>(
    `explain (analyze, format json) ${query.sql}`,
    [...query.parameters],
  );
  const nodes = rows[0]?.["QUERY PLAN"].flatMap(({ Plan }) => flatten(Plan)) ?? [];
  return {
    rowsOf: (table) =>
      nodes.filter((node) => tableOf(node) === table).reduce((sum, node) => sum + readBy(node), 0),
    // Of a partition without rows there is nothing else to read.
    scanned: nodes.flatMap((node) =>
      node["Node Type"] === "Seq Scan" && readBy(node) > 0 ? [tableOf(node)] : [],
    ),
    indexes: nodes.flatMap(({ "Index Name": name }) => name ?? []),
  };
}

function readBy(node: PlanNode): number {
  return (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"];
}

/** The table that a partition is of. */
function tableOf({ "Relation Name": name = "" }: PlanNode): string {
  return name === "usage_events" ? "usage_reports" : name.replace(/_(\d{4}_\d\d|default|first)$/, "");
}

function flatten(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)];
}
