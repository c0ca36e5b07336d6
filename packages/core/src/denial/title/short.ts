import type { DenialCode } from "../../values/denial-code.ts";

/** In a bundle for the edge, the code without its underscores. */
export function titleOf(code: DenialCode): string {
  return code === "insufficient_credits" ? "Not enough credits" : code.replaceAll("_", " ");
}
