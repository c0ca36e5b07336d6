import type { AdminWebhook } from "@creditgate/client/admin";
import type { ReactNode } from "react";
import { Badge } from "../parts/badge.tsx";
import { Fine } from "../parts/fine.tsx";
import { Day } from "../parts/time.tsx";
import { reasonOf } from "./words.ts";

/** How it stands with an endpoint. */
export function EndpointBadge({ endpoint }: { readonly endpoint: AdminWebhook }): ReactNode {
  const { status, failingSince } = endpoint;
  if (status === "disabled") {
    return (
      <>
        <Badge tone="line">Disabled</Badge> <span className="small quiet">{reasonOf(endpoint)}</span>
      </>
    );
  }
  if (failingSince !== null) {
    return (
      <>
        <Badge tone="bad" icon="alert">
          Failing
        </Badge>{" "}
        <span className="small quiet">
          since <Day at={failingSince} />
        </span>
      </>
    );
  }
  return <Fine>Enabled</Fine>;
}
