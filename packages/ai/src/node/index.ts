export { creditsContext, currentCredits, runWithCredits } from "./current-credits.ts";
