import type { DaySpan } from "../parts/day-span.tsx";

export interface AuditSearch extends DaySpan {
  /** An email, or an actor as the log has it. */
  who?: string;
  action?: string;
  /** Where the part of the list begins. */
  cursor?: string;
}

/** As the log names who made a change: people are written by their email. */
export function actorOf(who: string | undefined): string | undefined {
  return who?.includes("@") && !who.includes(":") ? `user:${who}` : who;
}
