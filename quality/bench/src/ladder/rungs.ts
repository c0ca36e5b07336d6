export type RungName =
  | "bare"
  | "listener"
  | "limited"
  | `least${"Instant" | "Batches" | "Singles"}`
  | "instant"
  | "batches"
  | "singles"
  | "sqlite";

interface Rung {
  readonly title: string;
  /** How the usage of its requests reaches the service. */
  readonly delivery?: "in process" | "in batches" | "one by one";
  /** The least gate that delivers in the same way. */
  readonly least?: RungName;
}

/** What stands before the route, from the least to the most. */
export const rungs: Readonly<Record<RungName, Rung>> = {
  bare: { title: "bare route" },
  listener: { title: "one finish listener" },
  limited: { title: "express-rate-limit" },
  leastInstant: { title: "least gate, service in process", delivery: "in process" },
  leastBatches: { title: "least gate, posts in batches", delivery: "in batches" },
  leastSingles: { title: "least gate, single posts", delivery: "one by one" },
  instant: { title: "creditgate, service in process", delivery: "in process", least: "leastInstant" },
  batches: { title: "creditgate, posts in batches", delivery: "in batches", least: "leastBatches" },
  singles: { title: "creditgate, single posts", delivery: "one by one", least: "leastSingles" },
  sqlite: { title: "creditgate, sqlite outbox", delivery: "in batches", least: "leastBatches" },
};

export const rungNames = Object.keys(rungs) as readonly RungName[];
