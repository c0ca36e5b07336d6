/** What stands before the route, by what is printed. */
export const contenders = {
  bare: "bare route",
  limited: "express-rate-limit",
  instant: "creditgate, a service that answers at once",
  posting: "bare route that posts with undici and waits for nothing",
  gathering: "bare route that posts batches with undici and waits for nothing",
  batches: "creditgate, real posts in batches",
  singles: "creditgate, real posts one by one",
  sqlite: "creditgate, real posts in batches, sqlite outbox",
} as const;

export type Contender = keyof typeof contenders;

/** What a server has done since it was asked last. */
export interface Spent {
  /** Of all threads of the process. */
  readonly cpuMs: number;
  /** Reports that the service had not answered yet. */
  readonly waiting: number;
}
