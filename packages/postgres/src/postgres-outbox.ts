import { invalidOption } from "@creditgate/core/adapter";
import {
  createFleetOutbox,
  type FleetOutbox,
  type FleetOutboxOptions,
  fleetOutboxOptionNames,
} from "@creditgate/fleet";
import { checkOptions, type PostgresOptions, placeNames, postgresSettings } from "./options.ts";
import { postgresOutboxStore } from "./postgres-outbox-store.ts";

/** Options of {@link createPostgresOutbox}. */
export interface PostgresOutboxOptions extends PostgresOptions, FleetOutboxOptions {
  /**
   * Which processes deliver for each other: those whose gate has the same service and key. 1 to 64 letters, digits, _ and -.
   * @default "default"
   */
  readonly name?: string;
  /** An answer that takes longer has failed; milliseconds, 1 to 60_000. @default 5_000 */
  readonly timeoutMs?: number;
}

/**
 * An outbox in PostgreSQL, for one gate of one of many processes. What `append` has resolved for is committed, and
 * another process delivers the reports of one that is gone. Throws `invalid_option`.
 */
export function createPostgresOutbox(options: PostgresOutboxOptions): FleetOutbox {
  checkOptions("createPostgresOutbox", options, {
    ...placeNames,
    ...fleetOutboxOptionNames,
    name: true,
    timeoutMs: true,
  });
  const { sql, schema, name, timeoutMs, ...others } = options;
  const settings = postgresSettings({ sql, ...(schema !== undefined && { schema }) });
  return createFleetOutbox(postgresOutboxStore(settings, checkOutboxName(name), timeoutMs), others);
}

export function checkOutboxName(name: unknown = "default"): string {
  if (typeof name === "string" && /^[A-Za-z0-9_-]{1,64}$/.test(name)) return name;
  return invalidOption("name", "1 to 64 letters, digits, _ and -", name);
}
