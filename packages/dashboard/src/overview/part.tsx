import type { ReactNode } from "react";
import { Failure } from "../parts/failure.tsx";

/** What a query has brought. */
export interface Loaded<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

/** A part of the page that is loaded by itself: what fails leaves the others, and what comes is as high as its place. */
export function Part<Data>({
  query,
  what,
  height,
  children,
}: {
  readonly query: Loaded<Data>;
  /** What has failed. */
  readonly what: string;
  readonly height: "chart" | "small-chart" | "list";
  readonly children: (data: Data) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error === null) return <span className={`bone block ${height}`} aria-hidden="true" />;
  return <Failure error={query.error} what={what} onRetry={() => void query.refetch()} />;
}
