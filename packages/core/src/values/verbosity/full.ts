import { nearestName } from "@creditgate/client";
import type { DenialCode } from "../denial-code.ts";
import { isThenable } from "../object.ts";

/** Whether messages say what was expected and what to do. */
export const verbose: boolean = true;

/** A value as messages show it: strings quoted, objects only by their type. */
export function shown(value: unknown): string {
  if (typeof value === "string") {
    return JSON.stringify(value.length > 64 ? `${value.slice(0, 64)}…` : value);
  }
  if (isThenable(value)) return "a promise";
  if (typeof value === "object" && value !== null)
    return Array.isArray(value) ? "an array" : objectName(value);
  return typeof value === "function" ? "a function" : String(value);
}

/** A `Map` is an object too, but not the one that was expected. */
function objectName(value: object): string {
  const name: unknown = Object.getPrototypeOf(value)?.constructor?.name;
  return typeof name !== "string" || name === "" || name === "Object"
    ? "an object"
    : `an object of class ${name.slice(0, 64)}`;
}

/** Follows the message that the name is not known. */
export function nearestAdvice(name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  return near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`;
}

const titles: { readonly [Code in DenialCode]: string } = {
  customer_unresolved: "The customer of this request is not known",
  insufficient_credits: "Not enough credits",
  budget_exceeded: "The budget is used up",
  budget_unknown: "The billing service does not know this budget",
  wallet_missing: "The customer has no wallet in this currency",
  customer_unknown: "The billing service does not know this customer",
  upstream_unavailable: "The balance cannot be read at the moment",
  upstream_invalid: "The balance that was read makes no sense",
  ledger_unavailable: "The shared ledger cannot decide at the moment",
  wallet_mismatch: "The wallet is not of the kind that this service expects",
  unbillable: "The billing service does not bill this work",
  outbox_full: "Too much usage waits for delivery",
  outbox_unavailable: "Usage cannot be stored at the moment",
  over_capacity: "Too many customers at once",
  closing: "The service is shutting down",
};

export function titleOf(code: DenialCode): string {
  return titles[code];
}
