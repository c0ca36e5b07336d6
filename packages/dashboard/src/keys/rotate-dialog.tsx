import type { AdminApiKey, RotatedApiKey } from "@creditgate/client/admin";
import { type ReactNode, useState } from "react";
import { useOrganizationId } from "../api/account.ts";
import { useChange } from "../api/change.ts";
import { admin } from "../api/client.ts";
import { Choice } from "../parts/choice.tsx";
import { Effect } from "../parts/effect.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { formatExact } from "../parts/time.tsx";

const overlaps = [
  { value: "86400", label: "For a day" },
  { value: "3600", label: "For an hour" },
  { value: "604800", label: "For a week" },
  { value: "0", label: "Not at all" },
] as const;

type Overlap = (typeof overlaps)[number]["value"];

/** Puts a new key in the place of one, which goes on for a while. */
export function RotateDialog({
  apiKey,
  onCreated,
  onClose,
}: {
  readonly apiKey: AdminApiKey;
  readonly onCreated: (key: RotatedApiKey) => void;
  readonly onClose: () => void;
}): ReactNode {
  const organizationId = useOrganizationId();
  const { keyId, name, expiresAt } = apiKey;
  const [overlap, setOverlap] = useState<Overlap>("86400");
  const rotate = useChange({
    change: () =>
      admin.organization(organizationId).apiKeys.rotate(keyId, { overlapSeconds: Number(overlap) }),
    untrue: [["keys", organizationId]],
    onDone: onCreated,
  });
  const [opened] = useState(() => Date.now());
  const end = Math.min(opened + Number(overlap) * 1_000, Date.parse(expiresAt ?? "") || Infinity);
  return (
    <FormDialog
      title={`Rotate ${name}`}
      action="Make the new key"
      change={rotate}
      failure="The key was not rotated."
      onSubmit={() => rotate.mutate()}
      onClose={onClose}
    >
      <Choice label="The old key goes on" value={overlap} options={overlaps} onChange={setOverlap} />
      <Effect>
        <p>
          A new key with the same name and scopes is made, and shown once.{" "}
          {overlap === "0"
            ? "The old one is refused from the next request on: applications that use it stop until they have the new one."
            : `The old one goes on until ${formatExact(new Date(end).toISOString())}, and is refused from then on. Both work meanwhile.`}
        </p>
        {expiresAt !== null && (
          <p className="quiet">The new one ends when the old one would have: {formatExact(expiresAt)}.</p>
        )}
      </Effect>
    </FormDialog>
  );
}
