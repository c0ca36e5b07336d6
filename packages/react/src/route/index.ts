export { type CreditsRouteOptions, creditsRoute } from "./credits-route.ts";
export { type BalanceGate, readCredits } from "./read-credits.ts";
