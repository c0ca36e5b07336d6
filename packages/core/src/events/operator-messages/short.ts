import type { GateEventMap } from "../events.ts";
import type { Trouble } from "./operator-messages.ts";

const untroubled: ReadonlySet<keyof GateEventMap> = new Set([
  "decision",
  "settled",
  "delivered",
  "resolved",
  "orphan",
  "lag",
]);

/** What the others have of this. */
interface Facts {
  readonly what?: string;
  readonly billed?: boolean | string;
  readonly reports?: readonly unknown[];
  readonly error?: unknown;
}

/** In a bundle for the edge a line names the event, or what is degraded, and the error: docs/gate/events.md explains both. */
export function troubleOf<Name extends keyof GateEventMap>(
  name: Name,
  event: GateEventMap[Name],
): Trouble | undefined {
  const { what, billed, reports, error }: Facts = Object(event);
  if (untroubled.has(name) || billed === false) return undefined;
  const {
    message = error,
    code,
    status,
  }: { message?: unknown; code?: unknown; status?: unknown } = Object(error);
  const subject = name === "degraded" ? what : name;
  const facts = name === "duplicate" ? [what, billed] : [reports?.length, message];
  const line = [subject, ...facts.filter((fact) => fact !== undefined)].join(": ");
  return reports === undefined ? { kind: `${subject} ${status ?? code}`, line } : { line };
}

export function abandonedLine(indicator: string, _graceMs: number, state: string): string {
  return `creditgate: aborted: ${indicator} ${state}`;
}
export const unseenState: string = "has not ended, so its hold is gone.";
export const pendingState: string = "is still pending, so its hold stays.";
export const unreportedAdvice: string = "";
export const onAbortAdvice: string = "";
export function unbilledLine(works: number): string {
  return `creditgate: close: ${works} not billed`;
}
export const textHint: string = "";
