import type { Setup } from "./setup.ts";
import { creditgateSide } from "./side.ts";
import type { Visitor } from "./visitor.ts";

/** Commands for the reader, each line short enough for a small terminal: one that is served, one that is not, a top-up. */
export function tryIt(
  {
    chats,
    controlPlaneUrl,
    apiKey,
  }: Pick<Setup, "controlPlaneUrl" | "apiKey"> & {
    readonly chats: ReadonlyMap<unknown, { readonly urls: readonly string[] }>;
  },
  rich: Pick<Visitor, "id" | "token">,
  broke: Pick<Visitor, "id" | "token">,
): string[] {
  const url = chats.get(creditgateSide)?.urls[0] ?? "";
  const json = "-H 'content-type: application/json'";
  return [
    `${rich.id} can pay: 200, word by word. ${broke.id} cannot (write demo-${broke.id}): 402`,
    `curl -iN ${url}/chat -H 'authorization: Bearer ${rich.token}' \\`,
    `  ${json} -d '{"message":"What is a credit?"}'`,
    `top ${broke.id} up, then ask for ${broke.id} again: 200`,
    `curl ${controlPlaneUrl}/api/v1/wallet/top-up \\`,
    `  -H 'service-api-key: ${apiKey}' \\`,
    // A line break between two tokens of JSON says nothing.
    `  ${json} -d '{"customer_id":"${broke.id}","top_ups":[`,
    `  {"credit_currency_key":"ai_credits","credits":5}]}'`,
  ];
}
