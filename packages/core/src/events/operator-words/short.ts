import type { OutboxReport } from "../../delivery/outbox.ts";
import type { DuplicateEvent } from "../events.ts";
import type { OperatorWords } from "./operator-words.ts";

/** In a bundle for the edge a line names the event, or what is degraded: the table of events in the README says what that means. */
export const meanings: OperatorWords = { dead: "usage is not billed" };
export const advice: OperatorWords = {};
export const duplicateLine = ({ what, billed }: DuplicateEvent): string =>
  `duplicate: ${what}, billed ${billed}`;
export const addressAdvice = (): string => "";
export const deadNames = (_: OutboxReport): string => "";
export const unseenState: string = "had not shown that it had ended, so its hold is gone.";
export const pendingState: string = "is still pending, so its hold stays.";
export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
