import type * as present from "./recommended-actions.ts";

// In a bundle for the edge, which has the code only if it imports `useRecommendedActions`.
export let recommendations: typeof present.recommendations = () => undefined;

export function installRecommendations(installed: typeof present.recommendations): void {
  recommendations = installed;
}
