/** What happens to a report that may have been processed: decided by the service's answers, or by this option. */
export type Ambiguous = "auto" | "park" | "retry";

/**
 * Whether a report that may have been processed is sent again: if the service is known to count it once, or if the
 * option says `retry`.
 */
export function mayRepeat(ambiguous: Ambiguous, honoursKeys: boolean): boolean {
  return ambiguous === "retry" || (ambiguous === "auto" && honoursKeys);
}
