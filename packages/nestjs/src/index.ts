export {
  CreditgateModule,
  type CreditgateModuleAsyncOptions,
  type CreditgateModuleOptions,
  GATE,
} from "./creditgate-module.ts";
export { CreditsDeniedException } from "./credits-denied.ts";
export type { CreditsRequest } from "./entrance.ts";
export { Credits, RequireCredits } from "./require-credits.ts";
