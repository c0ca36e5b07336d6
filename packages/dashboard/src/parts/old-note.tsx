import type { ReactNode } from "react";
import { Failure } from "./failure.tsx";

/** Says that what stands below could not be loaded again; nothing where it could. */
export function OldNote({
  query: { error, refetch },
}: {
  readonly query: { readonly error: unknown; readonly refetch: () => unknown };
}): ReactNode {
  if (error === null) return null;
  return <Failure error={error} what="What stands here may be old." onRetry={() => void refetch()} />;
}
