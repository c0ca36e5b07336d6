import type { Usage } from "../values/usage.ts";

/** How a request ended: answered below 400, answered with an error or not at all, or left by its client. */
export type Ending = "completed" | "failed" | "aborted";

/** What an aborted request bills: see `onAbort` of {@link CreditsOptions}. */
export type AbortPolicy =
  | "reported"
  | "default"
  | "none"
  | ((reported: readonly Usage[]) => Usage | undefined);

/** What is billed for a request that has reported nothing, or that its client has left. */
export interface EndPolicy {
  readonly defaultUsage?: Usage | undefined;
  readonly onAbort?: AbortPolicy | undefined;
}
