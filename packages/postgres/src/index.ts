export {
  initPostgresStore,
  listBlocks,
  migratePostgres,
  resolveBlock,
  type StoredBlock,
} from "./operator.ts";
export type { PostgresOptions } from "./options.ts";
export { createPostgresOutbox, type PostgresOutboxOptions } from "./postgres-outbox.ts";
export { createPostgresStore } from "./postgres-store.ts";
export type { PgPool, PostgresJs } from "./sql.ts";
