import type { Work } from "../../decision/authorize-request.ts";
import type { Judgement } from "../../decision/trace.ts";
import type { GateEvents } from "../../events/events.ts";
import type { Outbox } from "../../outbox/outbox.ts";
import type { DenialCode } from "../../values/denial-code.ts";

interface WriteHoldOptions {
  readonly outbox: Outbox | undefined;
  readonly events: Pick<GateEvents, "emit">;
  isClosing(): boolean;
}

/** With `durableHolds` no work begins, or goes on with more, before its hold is on disk. Resolves with the code if it must not. */
export async function writeHold(
  { id, customerId, currency, agentId, indicator }: Work,
  { account }: Judgement,
  hold: number,
  { outbox, events, isClosing }: WriteHoldOptions,
): Promise<DenialCode | undefined> {
  const budgets = account?.budgets;
  const work = { id, customerId, currency, agentId, indicator, ...(budgets && { budgets }), hold };
  try {
    await outbox?.works?.begin(work);
    if (!isClosing()) return undefined;
    await outbox?.works?.end(id);
  } catch (error) {
    events.emit("degraded", { what: "outbox", error, customerId });
  }
  return isClosing() ? "closing" : "outbox_unavailable";
}
