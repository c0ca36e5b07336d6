import type { AdminWebhook, RotatedWebhook } from "@creditgate/client/admin";
import { type ReactNode, useState } from "react";
import { useOrganizationId } from "../api/account.ts";
import { useChange } from "../api/change.ts";
import { admin } from "../api/client.ts";
import { Choice } from "../parts/choice.tsx";
import { Effect } from "../parts/effect.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { webhookKeys } from "./queries.ts";

/** For how many seconds both sign. */
const overlaps = [
  { value: "86400", label: "For a day" },
  { value: "3600", label: "For an hour" },
  { value: "604800", label: "For a week" },
  { value: "0", label: "Not at all: it is known to others" },
] as const;

type Overlap = (typeof overlaps)[number]["value"];

/** Makes a new secret beside the old one. */
export function RotateDialog({
  endpoint,
  onRotated,
  onClose,
}: {
  readonly endpoint: AdminWebhook;
  readonly onRotated: (rotated: RotatedWebhook) => void;
  readonly onClose: () => void;
}): ReactNode {
  const organizationId = useOrganizationId();
  const [overlap, setOverlap] = useState<Overlap>("86400");
  const rotate = useChange({
    change: () =>
      admin
        .organization(organizationId)
        .webhooks.rotateSecret(endpoint.endpointId, { overlapSeconds: Number(overlap) }),
    untrue: webhookKeys(organizationId),
    onDone: onRotated,
  });
  return (
    <FormDialog
      title="Rotate the secret"
      action="Make a new secret"
      change={rotate}
      failure="It is not certain that there is a new secret."
      onSubmit={() => rotate.mutate()}
      onClose={onClose}
    >
      <Choice label="The old one signs too" value={overlap} options={overlaps} onChange={setOverlap} />
      <Effect>
        <p>
          {overlap === "0"
            ? "The old secret ends now: an endpoint that has not got the new one refuses what is sent, and it is tried again."
            : "Each message has a signature of both until the old secret ends, so that the endpoint can change over."}
        </p>
        <p className="quiet">It cannot be undone.</p>
      </Effect>
    </FormDialog>
  );
}
