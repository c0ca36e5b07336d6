import type { Database } from "../database/connection.ts";
import { isUnavailable, tookTooLong } from "../database/unavailable.ts";
import type { Clock } from "../time/clock.ts";
import { type DatabaseGauge, databaseGauges, type GaugeContext, type Reading } from "./database-gauges.ts";

export interface DatabaseReadingsOptions extends Pick<GaugeContext, "periodSettings"> {
  readonly database: Database;
  readonly clock: Clock;
  /** @default the control plane's gauges */
  readonly gauges?: readonly DatabaseGauge[] | undefined;
  /** How long all gauges may take together, in milliseconds. @default 5000: Prometheus waits for 10 s */
  readonly deadlineMs?: number | undefined;
  /** Called with a gauge that cannot be read, once until it can. An outage is reported elsewhere. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** The last values read from the database. */
export interface DatabaseReadings {
  /** Whether it answered, in time. */
  readonly isUp: boolean;
  /** By the name of the gauge. Those that could not be read are left out. */
  readonly values: ReadonlyMap<string, Reading>;
}

/**
 * Reads the gauges one after the other, once for all who ask meanwhile: settlement uses the same connections. Resolves
 * at the deadline at the latest, with what was read until then, and never rejects.
 */
export function createDatabaseReadings(options: DatabaseReadingsOptions): () => Promise<DatabaseReadings> {
  const { database, clock, periodSettings, onError, gauges = databaseGauges, deadlineMs = 5_000 } = options;
  const reported = new Set<string>();
  let underWay: { readonly values: Map<string, Reading>; readonly isUp: Promise<boolean> } | undefined;

  /** Rejects where the database is out of reach. */
  const readOne = async ({ name, read }: DatabaseGauge, values: Map<string, Reading>): Promise<void> => {
    try {
      values.set(name, await read(database, { now: new Date(clock.now()), periodSettings }));
      reported.delete(name);
    } catch (error) {
      if (isUnavailable(error) && !tookTooLong(error)) throw error;
      if (!reported.has(name)) onError?.(error);
      reported.add(name);
    }
  };
  const readAll = async (values: Map<string, Reading>): Promise<boolean> => {
    try {
      for (const gauge of gauges) await readOne(gauge, values);
      return true;
    } catch {
      return false;
    } finally {
      underWay = undefined;
    }
  };

  return async () => {
    if (underWay === undefined) {
      const values = new Map<string, Reading>();
      underWay = { values, isUp: readAll(values) };
    }
    const { values, isUp } = underWay;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, deadlineMs, false);
    });
    try {
      return { isUp: await Promise.race([isUp, late]), values: new Map(values) };
    } finally {
      clearTimeout(timer);
    }
  };
}
