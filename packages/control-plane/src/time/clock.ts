/** Where the control plane reads the time, so that tests can set it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** What is left of a time that several steps share. */
interface Deadline {
  /** Milliseconds, 0 when it has passed. */
  left(): number;
}

export function deadlineIn(ms: number): Deadline {
  const end = performance.now() + ms;
  return { left: () => Math.max(0, end - performance.now()) };
}

/** How exactly the last use of a credential is known, in milliseconds; each request would cost a write otherwise. */
export const useResolutionMs = 60_000;
