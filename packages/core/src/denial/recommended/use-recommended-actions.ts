import { installRecommendations } from "#recommended-actions";
import { checkActionTimeout, recommendations } from "./recommended-actions.ts";

/**
 * Lets the gates of a bundle for the edge ask the service what it recommends to a customer who cannot pay: such a bundle has the code
 * only if it calls this, before it creates the first gate. Without effect elsewhere, where gates ask by themselves.
 */
export function useRecommendedActions(): void {
  installRecommendations({ checkActionTimeout, recommendations });
}
