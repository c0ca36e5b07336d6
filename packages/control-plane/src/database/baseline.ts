import { readFileSync } from "node:fs";
import type { TransactionalMigration } from "./migration.ts";

/** One for each domain, after those that it refers to. */
const files = [
  "kept-rows",
  "organizations",
  "prices",
  "customers",
  "wallets",
  "usage",
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
