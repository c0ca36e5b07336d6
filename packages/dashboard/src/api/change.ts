import { type UseMutationResult, useMutation } from "@tanstack/react-query";
import { queryClient } from "./query-client.ts";

/** What has been loaded under these words, and all under longer ones. */
export type QueryKeys = readonly (readonly string[])[];

/**
 * A change that a person makes: what it makes untrue is loaded again before `onDone` is called, so
 * that the page behind a closed dialog is right.
 */
export function useChange<Input = void, Answer = unknown>({
  change,
  untrue,
  onDone,
  onFailed,
}: {
  readonly change: (input: Input) => Promise<Answer>;
  /** The keys of the queries that are not true any more. */
  readonly untrue: QueryKeys;
  readonly onDone?: (answer: Answer, input: Input) => unknown;
  /** Called before the error is shown. */
  readonly onFailed?: (error: Error) => void;
}): UseMutationResult<Answer, Error, Input> {
  return useMutation({
    mutationFn: change,
    async onSuccess(answer, input) {
      await Promise.all(untrue.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
      await onDone?.(answer, input);
    },
    onError: (error) => onFailed?.(error),
  });
}
