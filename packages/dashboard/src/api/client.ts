import { createAdminClient } from "@creditgate/admin";
import { isCreditgateError } from "@creditgate/client";
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";

/** The admin API, in the name of the person who has signed in. It is where the page came from. */
export const admin = createAdminClient({
  baseUrl: location.origin,
  session: true,
  allowInsecure: true,
  timeoutMs: 15_000,
});

/** Whether the person is not signed in, or not any more. */
export function isSignedOut(error: unknown): boolean {
  return isCreditgateError(error) && error.status === 401;
}

export const accountKey = ["account"] as const;

/** A session may end while a page is open: the next answer shows that, and the shell asks to sign in again. */
function askWho(error: unknown): void {
  if (isSignedOut(error)) void queryClient.invalidateQueries({ queryKey: accountKey });
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { queryKey }) => queryKey[0] === accountKey[0] || askWho(error),
  }),
  mutationCache: new MutationCache({ onError: askWho }),
  // The client repeats what is safe to repeat.
  defaultOptions: { queries: { retry: false, staleTime: 2_000 }, mutations: { retry: false } },
});

/** A query of the page, whose last answer is kept. */
interface Asked<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
}

/**
 * What is loaded, also while it cannot be loaded again: a dialog above it has what a person has written, and the key by
 * which money moves once. `undefined` where it is refused.
 */
export function lastKnown<Data>({ data, error }: Asked<Data>): Data | undefined {
  return error === null || isPassing(error) ? data : undefined;
}

/** Whether the control plane cannot be asked at the moment. One whose session has ended signs in again above the page. */
export function isPassing(error: unknown): boolean {
  if (!isCreditgateError(error)) return false;
  const { status } = error;
  return status === undefined || status >= 500 || status === 429 || isSignedOut(error);
}
