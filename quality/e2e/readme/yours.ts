import type { Request } from "express";

/** What docs/start.md leaves to its reader: a provider whose signature is taken for good. */
export function verifiedPayment(
  request: Request,
): { readonly id: string; readonly customerId: string; readonly credits: number } | undefined {
  return JSON.parse(String(request.body));
}
