/** Where the control plane reads the time, so that tests can set it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}
