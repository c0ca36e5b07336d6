import { serviceVoicePrices } from "@creditgate/ai/voice";
import { createClient } from "@creditgate/client";
import { createGate } from "@creditgate/core";
import { receipt } from "./receipt.ts";
import { recorded } from "./recordings.ts";
import { turns } from "./script.ts";
import { clock, speed, takeCall } from "./take-call.ts";

/** Where the service is, and what takes lines of text. */
export interface Stage {
  readonly baseUrl: string;
  readonly apiKey: string;
  print(line: string): void;
  /** Resolves when the service has debited what it has accepted. */
  settled(): Promise<void>;
}

/** Plays the same call for Alice, who can pay for it, and for Bob, who can pay for a part. */
export async function playCalls({ baseUrl, apiKey, print, settled }: Stage): Promise<void> {
  const client = createClient({ baseUrl, apiKey });
  // The service answers in real time: by the call's clock it may take as many times longer.
  const gate = createGate({ client, currency: "voice_credits", clock, checkTimeoutMs: 1_000 * speed });
  const prices = await serviceVoicePrices(client, { agentId: "reception", indicator: "call" });
  if (prices === undefined) throw new Error("the control plane has no prices of reception, call");
  const recordings = await recorded(turns);
  for (const customer of [
    { externalId: "alice", name: "Alice" },
    { externalId: "bob", name: "Bob" },
  ]) {
    const available = async () => {
      await settled();
      const { balances } = await client.wallets.balance(customer.externalId);
      const { available = 0, overage_used = 0 } = balances.voice_credits ?? {};
      return (available - overage_used).toFixed(6);
    };
    print(`${customer.name} calls, with ${await available()} credits`);
    const outcome = await takeCall({ client, gate, prices, customer }, recordings, (speaker, words) =>
      print(`  ${speaker.padEnd(9)}  ${words}`),
    );
    if ("denial" in outcome) print(`the call was not taken: ${outcome.denial.title}`);
    else for (const line of receipt(outcome)) print(line);
    print(`  balance          ${await available()} credits`);
    print("");
  }
  await gate.close();
}
