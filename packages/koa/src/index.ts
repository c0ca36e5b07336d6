export { type CreditsState, requireCredits } from "./require-credits.ts";
