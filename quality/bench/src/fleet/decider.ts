import type { Gate } from "@creditgate/core";
import { createLeasedLedger, type SharedStore } from "@creditgate/fleet";
import { Redis } from "ioredis";
import { createFleetGate, releaseOne, settleOne } from "./fleet-gate.ts";
import { type LimiterName, limiters } from "./limiters.ts";
import type { MemberTask } from "./member-task.ts";
import { connect } from "./store-connection.ts";

/** Whether work costs something in the end. */
export type Ending = "released" | "settled";

/** Lets the work of a process in, or not. */
export interface Decider {
  /** Lets a piece of work in that needs so many credits, and ends it. Rejects if it is denied. */
  decide(customerId: string, ending: Ending, credits?: number): Promise<void>;
  /** Resolves when what the decisions have left to do is done. */
  finish(): Promise<void>;
  /** Round trips to the store until now. */
  trips(): number;
  stop(): Promise<void>;
}

export function createDecider(task: MemberTask): Decider {
  const { by = "leases" } = task;
  if (by === "memory") return alone(task);
  if (by === "leases" || by === "no leases") return inFleet(task);
  return limited(task.address.url, by);
}

/** A limiter does not see how work ends. */
function limited(url: string, by: LimiterName): Decider {
  const redis = new Redis(url);
  let commands = 0;
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (...args) => {
    commands += 1;
    return send(...args);
  };
  return {
    decide: limiters[by](redis),
    finish: async () => {},
    trips: () => commands,
    stop: async () => redis.disconnect(),
  };
}

function alone({ funds }: MemberTask): Decider {
  const gate = createFleetGate({ ...(funds !== undefined && { funds }) });
  return {
    ...byGate(gate),
    trips: () => 0,
    async stop() {
      await gate.close();
    },
  };
}

function inFleet({ address, by, funds, survives, leaseMs }: MemberTask): Decider {
  const connection = connect(address);
  let syncs = 0;
  const store: SharedStore = {
    exchange(account, request) {
      syncs += 1;
      return connection.store.exchange(account, request);
    },
  };
  const outbox = survives === true ? connection.outbox() : undefined;
  const leases = by !== "no leases";
  const gate = createFleetGate({
    ledger: createLeasedLedger(store, { leases, ...(leaseMs !== undefined && { leaseMs }) }),
    ...(outbox !== undefined && { outbox }),
    ...(funds !== undefined && { funds }),
  });
  return {
    ...byGate(gate),
    trips: () => syncs,
    async stop() {
      await gate.close();
      await outbox?.close();
      await connection.close();
    },
  };
}

function byGate(gate: Gate): Pick<Decider, "decide" | "finish"> {
  return {
    decide: (customerId, ending, credits) =>
      ending === "settled" ? settleOne(gate, customerId) : releaseOne(gate, customerId, credits),
    async finish() {
      const { queued } = await gate.flush();
      if (queued > 0) throw new Error(`${queued} reports were not delivered`);
    },
  };
}
