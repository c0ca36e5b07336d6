import type { Stage } from "./stage.ts";
import type { Visitor } from "./visitor.ts";

/** Commands for the reader: one that is served, one that is not, and how to change that. */
export function tryIt({ chatUrl, controlPlaneUrl, apiKey }: Stage, rich: Visitor, broke: Visitor): string {
  const key = `-H 'service-api-key: ${apiKey}'`;
  const json = "-H 'content-type: application/json'";
  const chat = ({ token }: Visitor, message: string) =>
    `curl -iN ${chatUrl}/chat -H 'authorization: Bearer ${token}' \\\n    ${json} -d '{"message":"${message}"}'`;
  return `
  ${rich.id} can pay: 200, word by word
  ${chat(rich, "What is a credit?")}

  ${broke.id} cannot: 402, and what is missing
  ${chat(broke, "And what am I?")}

  the wallet
  curl ${key} '${controlPlaneUrl}/api/v1/wallet/balance?customer_id=${broke.id}'

  top it up, then ask for ${broke.id} again: 200
  curl ${key} ${controlPlaneUrl}/api/v1/wallet/top-up \\
    ${json} -d '{"customer_id":"${broke.id}","top_ups":[{"credit_currency_key":"ai_credits","credits":5}]}'
`;
}
