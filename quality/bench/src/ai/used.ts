/** What a process has used since it started. */
export interface Used {
  readonly cpuUs: number;
  /** Bytes in memory. Between two readings of a process started with `withoutCollector` the difference is what it has allocated. */
  readonly bytes: number;
}

/** For Node: nothing is collected before several prompts have been served. */
export const withoutCollector: readonly string[] = ["--min-semi-space-size=256", "--max-semi-space-size=512"];

export function used(): Used {
  const { user, system } = process.cpuUsage();
  const { heapUsed, external } = process.memoryUsage();
  return { cpuUs: user + system, bytes: heapUsed + external };
}
