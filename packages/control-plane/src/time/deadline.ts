/** What is left of a time that several steps share. */
export interface Deadline {
  /** Milliseconds, 0 when it has passed. */
  left(): number;
}

export function deadlineIn(ms: number): Deadline {
  const end = performance.now() + ms;
  return { left: () => Math.max(0, end - performance.now()) };
}
