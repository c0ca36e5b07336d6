import { RecommendedActions, type RecommendedActionsOptions } from "./recommended-actions.ts";

export function recommendations(options: RecommendedActionsOptions): RecommendedActions | undefined {
  return new RecommendedActions(options);
}

/** They are here already. */
export function installRecommendations(_recommendations: unknown): void {}
