import { CreditsProvider } from "@creditgate/react";
import { readCredits } from "@creditgate/react/route";
import { Chat } from "./chat.tsx";
import { gate } from "./gate.ts";
import { customers, signedIn } from "./session.ts";

// biome-ignore lint/style/noDefaultExport: Next reads it.
export default async function Page() {
  const customer = await signedIn();
  return (
    // The key: another customer has another wallet, and begins another conversation.
    <CreditsProvider key={customer} initial={await readCredits(gate, customer)}>
      <Chat customer={customer} customers={customers} />
    </CreditsProvider>
  );
}
