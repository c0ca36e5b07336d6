import { createLeasedLedger, type Gate } from "@creditgate/core";
import { Redis } from "ioredis";
import { createFleetGate, releaseOne, settleOne } from "./fleet-gate.ts";
import type { Limiter } from "./limiters.ts";
import type { RedisServer } from "./redis-server.ts";
import { connect, type StoreAddress } from "./store-connection.ts";

/** Whether work costs something in the end. */
export type Ending = "released" | "settled";

/** One way to decide on a wallet that can pay for all that comes. */
export interface Decider {
  readonly kind: "memory" | "leases" | "no leases" | "limiter";
  readonly name: string;
  /** Lets work in, and ends it. */
  decide(ending: Ending): Promise<void>;
  /** Resolves when what the decisions have left to do is done. */
  finish(): Promise<void>;
  /** Round trips to the store until now. */
  trips(): Promise<number>;
  close(): Promise<void>;
}

/** A process that is alone. */
export function inMemory(): Decider {
  return {
    kind: "memory",
    name: "creditgate, one process: memory",
    ...gated(createFleetGate()),
    trips: async () => 0,
  };
}

/** A process of a fleet. */
export function inFleet(address: StoreAddress, leases: boolean): Decider {
  const connection = connect(address);
  const gate = createFleetGate(createLeasedLedger(connection.store, { leases }));
  const kind = leases ? "leases" : "no leases";
  return {
    kind,
    name: `creditgate, a fleet on ${address.kind}: ${kind}`,
    ...gated(gate),
    trips: async () => connection.words,
    async close() {
      await gate.close();
      await connection.close();
    },
  };
}

/** A limiter lets work in, and hears no more of it. */
export function byLimiter(server: RedisServer, create: (redis: Redis) => Limiter): Decider {
  const redis = new Redis(server.url);
  const { name, consume } = create(redis);
  return {
    kind: "limiter",
    name,
    decide: () => consume("hot"),
    finish: async () => {},
    trips: () => server.scripts(),
    close: async () => redis.disconnect(),
  };
}

function gated(gate: Gate): Pick<Decider, "decide" | "finish" | "close"> {
  return {
    decide: (ending) => (ending === "settled" ? settleOne(gate, "hot") : releaseOne(gate, "hot")),
    async finish() {
      const { queued } = await gate.flush();
      if (queued > 0) throw new Error(`${queued} reports were not delivered`);
    },
    async close() {
      await gate.close();
    },
  };
}
