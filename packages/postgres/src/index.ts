export {
  initPostgresStore,
  listReservations,
  migratePostgres,
  operatePostgresOutbox,
  type PostgresOutboxPlace,
  resolveReservation,
} from "./operator.ts";
export type { PostgresOptions } from "./options.ts";
export { createPostgresOutbox, type PostgresOutboxOptions } from "./postgres-outbox.ts";
export { createPostgresStore, type PostgresStoreOptions } from "./postgres-store.ts";
export { PostgresError } from "./prepared-query.ts";
export type { PgPool, PostgresJs } from "./sql.ts";
