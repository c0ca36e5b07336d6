/** What becomes of a report that may have been processed: told by the service's answers, or decided beforehand. */
export type Ambiguous = "auto" | "park" | "retry";

/** Whether a report that may have been processed is sent again: where the service is known to count it once, or as the user says. */
export function mayRepeat(ambiguous: Ambiguous, honoursKeys: boolean): boolean {
  return ambiguous === "retry" || (ambiguous === "auto" && honoursKeys);
}
