import { createLeasedLedger } from "@creditgate/core";
import { plenty } from "../batch-client.ts";
import { createFleetGate, releaseOne, settleOne } from "./fleet-gate.ts";
import { carry, type Load } from "./load.ts";
import { connect, type StoreAddress } from "./store-connection.ts";

/** What a process of a fleet is told at its start. */
export interface MemberTask {
  readonly address: StoreAddress;
  /** Credits in every wallet, whatever is spent. @default plenty */
  readonly funds?: number;
  /** @default that of leased ledgers */
  readonly leaseMs?: number;
}

/** What it may be asked to do then. */
export type Order =
  | {
      readonly do: "serve";
      readonly load: Load;
      /** Decisions go round among so many: `NAME-0`, `NAME-1`, … */
      readonly wallets: number;
      readonly name: string;
      readonly ends: "settled" | "released";
    }
  | { readonly do: "take"; readonly customerId: string; readonly credits: number };

export interface Done {
  /** How long it took. */
  readonly ms: number;
  /** Words that it has said to the store since its start. */
  readonly words: number;
}

/** One process of a fleet. */
export interface Member {
  /** Resolves when the work has ended and is delivered. Rejects if any of it is denied. */
  order(order: Order): Promise<Done>;
  stop(): Promise<void>;
}

/** A member in this process. */
export function createMember({ address, funds = plenty, leaseMs }: MemberTask): Member {
  const connection = connect(address);
  const gate = createFleetGate(
    createLeasedLedger(connection.store, leaseMs === undefined ? {} : { leaseMs }),
    funds,
  );
  const carryOut = async (order: Order): Promise<void> => {
    if (order.do === "take") return releaseOne(gate, order.customerId, order.credits);
    const { load, wallets, name, ends } = order;
    const decide = ends === "settled" ? settleOne : releaseOne;
    await carry(load, (index) => decide(gate, walletOf(name, index % wallets)));
    await gate.flush();
  };
  return {
    async order(order) {
      const start = performance.now();
      await carryOut(order);
      return { ms: performance.now() - start, words: connection.words };
    },
    async stop() {
      await gate.close();
      await connection.close();
    },
  };
}

/** A customer among those of this name. */
export function walletOf(name: string, index = 0): string {
  return `${name}-${index}`;
}
