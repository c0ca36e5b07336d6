export { type CreditsErrorData, creditsErrorFormatter, denialOf } from "./denial-error.ts";
export type { CreditsContext, ProcedureCall } from "./require-credits.ts";
export { requireCredits } from "./require-credits.ts";
