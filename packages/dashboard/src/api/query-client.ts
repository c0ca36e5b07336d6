import { isCreditgateError } from "@creditgate/client";
import { QueryCache, QueryClient } from "@tanstack/react-query";

/** Whether the person is not signed in, or not any more. */
export function isSignedOut(error: unknown): boolean {
  return isCreditgateError(error) && error.status === 401;
}

export const accountKey = ["account"] as const;

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error, query) {
      // A session ends while a page is open: the next answer tells, and the shell leads to the sign-in.
      if (isSignedOut(error) && query.queryKey[0] !== accountKey[0])
        void queryClient.invalidateQueries({ queryKey: accountKey });
    },
  }),
  // The client repeats what is safe to repeat.
  defaultOptions: { queries: { retry: false, staleTime: 2_000 }, mutations: { retry: false } },
});
