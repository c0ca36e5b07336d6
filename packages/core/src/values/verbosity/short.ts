import type { DenialCode } from "../denial-code.ts";

/** In a bundle for the edge a message names what it is about and its code: `creditgate explain CODE` and the documentation have the rest. */
export const verbose: boolean = false;

/** A value as messages show it: strings quoted, objects only by their type. */
export function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 64));
  return typeof value === "object" || typeof value === "function" ? typeof value : String(value);
}

export function nearestAdvice(_name: string, _known: readonly string[]): string {
  return "";
}

/** The words of the code. */
export function titleOf(code: DenialCode): string {
  return code === "insufficient_credits" ? "Not enough credits" : code.replaceAll("_", " ");
}
