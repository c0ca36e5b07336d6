import { readAccount } from "./account.ts";
import { Chat } from "./chat.tsx";
import { customers, signedIn } from "./session.ts";

// biome-ignore lint/style/noDefaultExport: Next reads it.
export default async function Page() {
  const customer = await signedIn();
  // The key: another customer begins another conversation.
  return <Chat key={customer} customer={customer} customers={customers} initial={await readAccount()} />;
}
