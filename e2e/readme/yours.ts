import { once } from "node:events";
import type { Request } from "express";

// What the README leaves to its reader, as little as makes its examples run.

/** With `MODEL_WAITS` it says on stdout that it was asked, and answers when it is told to on stdin. */
const told = process.env.MODEL_WAITS === undefined ? undefined : once(process.stdin, "data");

/** An answer of 2.5 credits at the README's price. */
export async function model(
  question: string,
  _options: { readonly maxTokens: number; readonly signal?: AbortSignal },
): Promise<{ text: string; usage: { input: number; output: number } }> {
  if (told !== undefined) console.log("asked");
  await told;
  return { text: `You asked: ${question}`, usage: { input: 30, output: 990 } };
}

export function userOf(request: Request): { readonly id: string } | undefined {
  const id = request.get("x-user");
  return id === undefined ? undefined : { id };
}

export function verifiedPayment(
  request: Request,
): { readonly id: string; readonly customerId: string; readonly credits: number } | undefined {
  return JSON.parse(String(request.body));
}
