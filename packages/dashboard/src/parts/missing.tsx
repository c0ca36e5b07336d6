import { isCreditgateError } from "@creditgate/client";
import type { ReactNode } from "react";
import { Failure } from "./failure.tsx";
import { Page } from "./page.tsx";

/** In place of a page whose thing is not loaded: it is on its way, there is none, or it failed. */
export function Missing({
  crumbs,
  error,
  unknown,
  failure,
  onRetry,
}: {
  readonly crumbs: ReactNode;
  readonly error: Error | null;
  /** What there is not: "No such invoice". */
  readonly unknown: string;
  readonly failure: string;
  readonly onRetry: () => void;
}): ReactNode {
  const isUnknown = isCreditgateError(error) && error.status === 404;
  return (
    <Page title={isUnknown ? unknown : "Loading"} crumbs={crumbs}>
      {isUnknown && <p className="quiet">The organization has none with this ID.</p>}
      {error !== null && !isUnknown && <Failure error={error} what={failure} onRetry={onRetry} />}
      {error === null && <div className="bone block" />}
    </Page>
  );
}
