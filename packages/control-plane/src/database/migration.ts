import { readFileSync } from "node:fs";

/** A step of the schema, forward only. */
export type Migration = TransactionalMigration | OnlineMigration;

interface Step {
  readonly version: number;
  readonly name: string;
}

/** Done whole or not at all. What it locks is locked until its end: it must be quick on tables that are large. */
export interface TransactionalMigration extends Step {
  readonly sql: string;
}

/**
 * For what takes long on large tables, and keeps no request from writing meanwhile: building and dropping indexes
 * `concurrently`, validating constraints. Each statement runs by itself, and again after an interruption.
 */
export interface OnlineMigration extends Step {
  /** What must be there before: one transaction, as quick as a transactional step, and done again after an interruption. */
  readonly first?: string;
  /** One that begins with `select` is asked for statements to run: partitions have names of their own. A new database has none. */
  readonly online: readonly string[];
}

/** One for each domain, after those that it refers to. */
const files = [
  "kept-rows",
  "organizations",
  "prices",
  "customers",
  "wallets",
  "grants",
  "usage",
  "budgets",
  "usage-sums",
  "voice",
  "orders",
  "invoices",
  "issuing",
  "ledger",
  "webhooks",
  "people",
  "audit",
  "answers",
  "gates",
  "partitions",
];

/** The schema of a new database. */
export const baseline: TransactionalMigration = {
  version: 100,
  name: "baseline",
  sql: files
    .map((file) => readFileSync(new URL(`../../schema/${file}.sql`, import.meta.url), "utf8"))
    .join("\n"),
};
