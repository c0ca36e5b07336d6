import { refuseName } from "../../values/option.ts";
import type * as present from "./recommended-actions.ts";

// In a bundle for the edge, which has the code only if it imports `useRecommendedActions`.
export let recommendations: typeof present.recommendations = () => undefined;

/** It would have no effect, so it is refused. */
export let checkActionTimeout: typeof present.checkActionTimeout = (timeoutMs) =>
  (timeoutMs ?? 0) === 0 ? 0 : refuseName("actionTimeoutMs: call useRecommendedActions()");

export function installRecommendations(installed: Omit<typeof present, "installRecommendations">): void {
  ({ recommendations, checkActionTimeout } = installed);
}
