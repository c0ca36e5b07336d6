import { CreditgateError, isCreditgateError } from "@creditgate/client";
import { refused } from "../decision/trace.ts";
import type { Denial } from "../denial/denial.ts";
import { type Clock, within } from "../values/clock.ts";
import { checkFunction, checkNames, checkNumber, checkShape, invalidOption } from "../values/option.ts";
import { checkBounds, type HoldAmount } from "../wallet/hold.ts";
import type { Charge } from "./charge.ts";
import { type Extension, type ExtensionRules, extend } from "./extension.ts";
import { insideOf } from "./inside.ts";
import { type PauseOptions, Pauses, type Wait } from "./pauses.ts";

const optionNames: Readonly<Record<keyof PauseOptions, true>> = {
  waitMs: true,
  signal: true,
  onPause: true,
  onWait: true,
};
const longestWaitMs = 600_000;
/** What an outbox has to take the bill, also where the work does not wait, or its client has left. */
const leastOutboxMs = 1_000;

/**
 * Between two steps of work that may have run dry: bills what it has reported, gives the rest of its hold back, and holds `need` for
 * what comes next, as `extend()` does. Where the customer lacks the credits it waits for a payment, with nothing held. Work of one
 * customer goes on in the order in which it paused; a new request may overtake it.
 *
 * Resolves with the denial when the wait or the work is over, the client has left or the gate closes: the work then holds nothing, and
 * should end. While the outbox does not take the bill, or the new hold, that is `outbox_unavailable`; the bill is tried further. Rejects with
 * an `invalid_option` error for work that has ended, and while a metered call of it, or another pause, is under way.
 */
export async function pause(
  charge: Charge,
  need: HoldAmount,
  options: PauseOptions = {},
): Promise<Extension> {
  checkNames(options, optionNames);
  const { signal, onPause, onWait } = options;
  const waitMs = checkNumber("waitMs", options.waitMs ?? 60_000, 0, longestWaitMs);
  if (signal !== undefined) checkShape("signal", signal, "an AbortSignal", ["addEventListener"]);
  if (onPause !== undefined) checkFunction("onPause", onPause);
  if (onWait !== undefined) checkFunction("onWait", onWait);
  const bounds = checkBounds("need", need);
  const inside = insideOf(charge);
  if (inside === undefined && charge.open) invalidOption("charge", "a charge of a gate", charge);
  // Free work, and work that is only observed, waits for nothing.
  if (inside === undefined || !charge.open || inside.billing.extension.observes) return charge.extend(need);
  const { admitted, billing } = inside;
  if (inside.isMetered || admitted.resume !== undefined) {
    throw new CreditgateError(
      "invalid_option",
      "pause(): expected work between two model calls, received work with a call or a pause under way",
    );
  }
  const { clock } = billing.pauseSettings;
  billing.pauses ??= new Pauses(billing.extension, billing.pauseSettings);
  const { pauses } = billing;
  const until = clock.now() + waitMs;
  const over = new AbortController();
  const end = () => over.abort();
  let denial: Denial | undefined;
  admitted.resume = end;
  pauses.ends.add(end);
  signal?.addEventListener("abort", end, { once: true });
  if (inside.isAbandoned || signal?.aborted || billing.extension.closing()) end();
  const isTaken = (step: Promise<unknown>) => isTakenBy(until, step, over.signal, clock);
  const untaken = () => refused(billing.extension.closing() ? "closing" : "outbox_unavailable");
  try {
    const bill = inside.billSoFar();
    if (bill && !(await isTaken(bill))) {
      const work = { ...admitted.work, ...bounds };
      return { allowed: false, denial: await billing.extension.deny(work, untaken()) };
    }
    const denied = (lacking: Denial) => {
      denial = lacking;
      return onPause?.(lacking);
    };
    const wait: Wait = { until, signal: over.signal, onPause: denied, onWait };
    const rules: ExtensionRules = {
      ...billing.extension,
      judge: (work) => pauses.judge(work, wait),
      async writeAhead(work, judgement, held) {
        const writing = billing.extension.writeAhead(work, judgement, held);
        if (!(writing instanceof Promise) || (await isTaken(writing))) return writing;
        const { account, hold } = judgement;
        // What is written late is not this work's any more, and ends.
        admitted.work = { ...work, id: admitted.nextId() };
        void writing.then((late) => late.hold && billing.settlePart({ work, account, hold }, []));
        if (hold) await account?.release(hold);
        return untaken();
      },
    };
    return await extend(admitted, bounds, () => charge.open, rules);
  } catch (error) {
    // It has ended just as it was to go on.
    if (denial !== undefined && !charge.open && isCreditgateError(error) && error.code === "invalid_option")
      return { allowed: false, denial };
    throw error;
  } finally {
    admitted.resume = undefined;
    pauses.ends.delete(end);
    signal?.removeEventListener("abort", end);
  }
}

/** Whether the outbox does the step before the wait is over. It goes on either way. */
async function isTakenBy(
  until: number,
  step: Promise<unknown>,
  left: AbortSignal,
  clock: Clock,
): Promise<boolean> {
  const taken = step.then(
    () => true,
    () => false,
  );
  const leaving = new Promise<"left">((resolve) => {
    left.addEventListener("abort", () => resolve("left"), { once: true });
    if (left.aborted) resolve("left");
  });
  const waitMs = Math.max(until - clock.now(), leastOutboxMs);
  const first = await within(Promise.race([taken, leaving]), waitMs, clock);
  return (first === "left" ? await within(taken, leastOutboxMs, clock) : first) ?? false;
}
