export { creditsProxy } from "./credits-proxy.ts";
export { withCredits } from "./route-handler.ts";
export { type ActionOutcome, withCreditsAction } from "./server-action.ts";
