import { createAdminClient } from "@creditgate/admin";
import { createClient } from "@creditgate/client";
import { openAccount } from "./open-account.ts";

// For trying it by hand; an application calls openAccount() in its sign-up.
try {
  const [id, name = id] = process.argv.slice(2);
  if (id === undefined || name === undefined)
    throw new Error("expected the customer's id, and a name, as in: carol Carol");
  const organization = await createAdminClient().organizationNamed("Express chat");
  const wallet = await openAccount(createClient(), organization, { id, name });
  console.log(`${id} has a ${wallet.kind} wallet with ${wallet.available} ${wallet.creditCurrencyKey}`);
} catch (error) {
  console.error(`open-account: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
