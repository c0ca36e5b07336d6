import { findDifference } from "../../../packages/core/test/ledger-model/property.ts";
import { answersOutOfOrder } from "./answers-out-of-order.ts";
import { brokenBehaviours } from "./broken-behaviours.ts";
import type { Core } from "./mutated-core.ts";
import { recentUsage, rememberedKind, threeChats } from "./served.ts";

/** Schedules that chance does not find. Each resolves with what is wrong, or with `undefined`. */
export const directedSchedules: Readonly<Record<string, (core: Core) => Promise<string | undefined>>> = {
  "answers out of order": answersOutOfOrder,
  "the model of the ledger": (core) => findDifference(core, { numRuns: 1_000 }),
  "three chats in a row": threeChats,
  "a service that ceases to tell": rememberedKind,
  "usage acknowledged while the balance is asked for": recentUsage,
  "the contract of ledgers": async (core) => (await brokenBehaviours(core))[0],
};
