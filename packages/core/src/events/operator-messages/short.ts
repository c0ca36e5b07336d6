import type { OutboxReport } from "../../outbox/outbox.ts";
import type { DuplicateEvent } from "../events.ts";
import type { OperatorMessages, Troubles } from "./operator-messages.ts";

/** In a bundle for the edge a line names the event, or what is degraded: docs/gate/events.md explains both. */
export const meanings: OperatorMessages = { dead: "usage is not billed" };
export const advice: OperatorMessages = {};
export const duplicateLine = ({ what, billed }: DuplicateEvent): string =>
  `duplicate: ${what}, billed ${billed}`;
export const addressAdvice = (): string => "";
export const deadNames = (_: OutboxReport): string => "";
export const unseenState: string = "has not ended, so its hold is gone.";
export const pendingState: string = "is still pending, so its hold stays.";
export const unreportedAdvice: string = "";
export const onAbortAdvice: string = "";
export const unbilledAdvice: string = "";
export const textHint: string = "";
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
export const outboxTroubles: Troubles = {};
