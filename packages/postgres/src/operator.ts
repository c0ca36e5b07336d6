import { invalidOption } from "@creditgate/core/adapter";
import {
  createFleetOperator,
  type FleetOperatorOptions,
  type OutboxOperator,
  type StoredReservation,
} from "@creditgate/fleet/operator";
import { identifier, migrate } from "./migrations.ts";
import { type PostgresOptions, postgresSettings } from "./options.ts";
import { checkOutboxName } from "./postgres-outbox.ts";
import { postgresOutboxStore } from "./postgres-outbox-store.ts";

/** Creates the schema, or brings it up to date, as a role that may. What runs does so by itself where its role may. */
export async function migratePostgres(options: PostgresOptions): Promise<void> {
  const { query, schema } = postgresSettings(options);
  await migrate(query, schema);
}

/**
 * Spares an empty store the quarantine of its first use. Only for an operator who knows that no process has credits
 * of an earlier one. Resolves with `false` if a process has used it, and changes nothing then.
 */
export async function initPostgresStore(options: PostgresOptions): Promise<boolean> {
  const { query, schema: name } = postgresSettings(options);
  await migrate(query, name);
  const schema = identifier(name);
  // Else the first step would take it for one that was restored.
  await query(`select ${schema}.renew(${schema}.run())::text`);
  const done = await query(
    `update ${schema}.store set born = ${Number.MIN_SAFE_INTEGER}
     where not exists (select from ${schema}.account) returning id`,
  );
  return done.length > 0;
}

/** All reservations above 0, those of silent processes first. */
export async function listReservations(options: PostgresOptions): Promise<readonly StoredReservation[]> {
  const { query, schema: name } = postgresSettings(options);
  const schema = identifier(name);
  const rows = await query(
    `select account.key as account, reservation.key as process, reservation.value->>0 as amount, reservation.value->>1 as free,
       ((reservation.value->>3)::bigint <= ${schema}.time_at(now, clock, ${schema}.clock()))::text as silent
     from ${schema}.account, jsonb_each(account.reservations) as reservation
     where reservation.value->>0 <> '0' order by silent desc, account.key, reservation.key`,
  );
  return rows.map(({ account, process, amount, free, silent }) => ({
    account: String(account),
    process: String(process),
    credits: Number(amount) / 1e6,
    unused: Number(free) / 1e6,
    silent: silent === "true",
  }));
}

/**
 * Frees the reservation of a process that has no successor: it counts as spent from now on, and is free after the
 * settlement lag. If the process lives after all, its next sync registers what it has. Throws `invalid_option` if
 * there is no such reservation, or if its process has sent a sync within a lease.
 */
export async function resolveReservation(
  options: PostgresOptions,
  account: string,
  process: string,
): Promise<void> {
  const { query, schema: name } = postgresSettings(options);
  const schema = identifier(name);
  const done = await query(
    `update ${schema}.account set reservations = jsonb_set(reservations, array[$2, '4'], to_jsonb(${schema}.time_at(now, clock, ${schema}.clock())))
     where key = $1 and reservations->$2->>0 <> '0' and (reservations->$2->>3)::bigint <= ${schema}.time_at(now, clock, ${schema}.clock()) returning key`,
    [account, process],
  );
  if (done.length > 0) return;
  invalidOption(
    "process",
    "one that has a reservation in this account, and has been silent for a lease",
    process,
  );
}

/** Where the outbox of a fleet is. */
export interface PostgresOutboxPlace extends PostgresOptions, FleetOperatorOptions {
  /** That of `createPostgresOutbox`. @default "default" */
  readonly name?: string;
}

/**
 * What operators do with the outboxes of a fleet, while it runs: list what is parked, dead or orphaned, send it again, or say that it
 * has been billed or never is. Throws `invalid_option`.
 */
export function operatePostgresOutbox({
  name,
  waitMs,
  clock,
  ...place
}: PostgresOutboxPlace): OutboxOperator {
  const store = postgresOutboxStore(postgresSettings(place), checkOutboxName(name));
  return createFleetOperator(store, {
    ...(waitMs !== undefined && { waitMs }),
    ...(clock !== undefined && { clock }),
  });
}
