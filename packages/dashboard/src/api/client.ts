import { createAdminClient } from "@creditgate/client/admin";

/** The admin API, in the name of the person who has signed in. It is where the page came from. */
export const admin = createAdminClient({
  baseUrl: location.origin,
  session: true,
  allowInsecure: true,
  timeoutMs: 15_000,
});
