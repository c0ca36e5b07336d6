import type { Usage } from "../values/usage.ts";

/** How a request ended: answered below 400, answered with an error or not at all, or aborted by a disconnect. */
export type Ending = "completed" | "failed" | "aborted";

/** What an aborted request bills: see `onAbort` of {@link CreditsOptions}. */
export type AbortPolicy =
  | "reported"
  | "default"
  | "none"
  | ((reported: readonly Usage[]) => Usage | undefined);

/** What is billed if nothing was reported, or if the client disconnected. */
export interface EndPolicy {
  readonly defaultUsage?: Usage | undefined;
  readonly onAbort?: AbortPolicy | undefined;
}
