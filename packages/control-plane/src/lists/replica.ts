import type pg from "pg";
import {
  type Connection,
  connect,
  type Database,
  type Lists,
  requestTimeouts,
} from "../database/connection.ts";
import { catchesUp, createPositions, faultOf } from "../database/replica-state.ts";
import { Problem } from "../http/problem.ts";
import type { Clock } from "../time/clock.ts";
import { startPolling } from "../time/polling.ts";

export interface ReplicaOptions {
  readonly replicaUrl: string;
  /** The primary, by connections that lists do not wait for. */
  readonly primary: Database;
  readonly clock: Clock;
  /** Called with the source of each list. */
  readonly onRead: (from: "replica" | "primary") => void;
  /** Called with one line when the replica is no longer used, and when it is again. */
  readonly onNotice: (line: string) => void;
}

/** A streaming replica, for lists. */
export interface Replica {
  /** Lists that are read from the replica, else from the primary. */
  listsBeside(primary: Database, maxConnections: number): Lists;
  /** By what they are for. */
  readonly pools: Readonly<Record<string, pg.Pool>>;
  stop(): Promise<void>;
  close(graceMs: number): Promise<void>;
}

const pollMs = 1_000;

/** How long a request waits for what the replica has not received yet. */
const catchUpMs = 50;

/**
 * Lists are read from a replica that has all that was committed when they were asked for: what someone has changed is
 * in it, whichever process they ask. One that is behind for longer than a moment, or fails, is left alone until it has caught
 * up; the primary answers meanwhile, as it does where the replica fails in the midst of a list.
 */
export function startReplica(options: ReplicaOptions): Replica {
  const { replicaUrl, primary, clock, onRead, onNotice } = options;
  const probe = connect(replicaUrl, 1, requestTimeouts);
  const connections = new Map<string, Connection>([["replica_probe", probe]]);
  const positions = createPositions(primary);
  let isUsed = false;
  let faultSince: number | undefined;

  const pass = async (): Promise<void> => {
    const fault = await faultOf(primary, positions, probe.database);
    isUsed = fault === undefined;
    if (fault !== undefined && faultSince === undefined) {
      faultSince = clock.now();
      onNotice(`replica: not used, lists are read from the primary: ${fault}`);
    }
    if (fault === undefined && faultSince !== undefined) {
      onNotice(`replica: used again after ${Math.round((clock.now() - faultSince) / 1_000)} s`);
      faultSince = undefined;
    }
  };
  const watch = startPolling(pass, { pollMs, onError: undefined });
  const leave = (): void => {
    isUsed = false;
    watch.wake();
  };

  return {
    listsBeside(database, maxConnections) {
      const replica = connect(replicaUrl, maxConnections, requestTimeouts);
      connections.set(`replica_${connections.size}`, replica);

      /** `undefined` where the replica cannot tell. */
      async function ask<Result>(select: (database: Database) => Promise<Result>) {
        const position = await positions.next().catch(() => undefined);
        // Without the primary the replica's age is unknown.
        if (position === undefined) return undefined;
        try {
          // On one connection: the next one may lead to another replica.
          return await replica.database.connection().execute(async (same) => {
            if (await catchesUp(same, position, catchUpMs)) return { result: await select(same) };
            leave();
            return undefined;
          });
        } catch (error) {
          if (error instanceof Problem) throw error;
          leave();
          return undefined;
        }
      }
      return {
        async read(select) {
          const answer = isUsed ? await ask(select) : undefined;
          onRead(answer === undefined ? "primary" : "replica");
          return answer === undefined ? select(database) : answer.result;
        },
      };
    },
    get pools() {
      return Object.fromEntries([...connections].map(([name, { pool }]) => [name, pool]));
    },
    stop: () => watch.stop(),
    async close(graceMs) {
      await Promise.all([...connections.values()].map((connection) => connection.close(graceMs)));
    },
  };
}
