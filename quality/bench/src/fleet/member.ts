import { createDecider, type Ending } from "./decider.ts";
import { carry, type Load } from "./load.ts";
import type { MemberTask } from "./member-task.ts";

/** What a process of a fleet may be asked to do. */
export type Order =
  | {
      readonly do: "serve";
      readonly load: Load;
      /** The work goes round among so many: `NAME-0`, `NAME-1`, … */
      readonly wallets: number;
      readonly name: string;
      readonly ending: Ending;
    }
  | { readonly do: "take"; readonly customerId: string; readonly credits: number };

export interface Done {
  /** How long it took, and what its work left to be done. */
  readonly ms: number;
  /** Round trips to the store that it took. */
  readonly trips: number;
}

/** One process of a fleet. */
export interface Member {
  /** Rejects if any of the work is denied. */
  order(order: Order): Promise<Done>;
  stop(): Promise<void>;
}

/** A member in this process. */
export function createMember(task: MemberTask): Member {
  const { decide, finish, trips, stop } = createDecider(task);
  const carryOut = async (order: Order): Promise<void> => {
    if (order.do === "take") return decide(order.customerId, "released", order.credits);
    const { load, wallets, name, ending } = order;
    const customerIds = Array.from({ length: wallets }, (_, index) => walletOf(name, index));
    await carry(load, (index) => decide(customerIds[index % wallets] ?? "", ending));
    await finish();
  };
  return {
    async order(order) {
      const tripsBefore = trips();
      const start = performance.now();
      await carryOut(order);
      return { ms: performance.now() - start, trips: trips() - tripsBefore };
    },
    stop,
  };
}

/** A customer among those of this name. */
export function walletOf(name: string, index = 0): string {
  return `${name}-${index}`;
}
