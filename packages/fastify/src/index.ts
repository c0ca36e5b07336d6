export { requireCredits } from "./require-credits.ts";
