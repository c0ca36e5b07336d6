import type { AdminApiKey } from "@creditgate/client/admin";
import type { ReactNode } from "react";
import { useOrganizationId } from "../api/account.ts";
import { useChange } from "../api/change.ts";
import { admin } from "../api/client.ts";
import { formatAgo } from "../parts/ago.tsx";
import { Effect } from "../parts/effect.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { tell } from "../parts/toasts.tsx";

/** Ends a key at once. */
export function RevokeDialog({
  apiKey,
  onClose,
}: {
  readonly apiKey: AdminApiKey;
  readonly onClose: () => void;
}): ReactNode {
  const organizationId = useOrganizationId();
  const { keyId, name, scopes, lastUsedAt } = apiKey;
  const revoke = useChange({
    change: () => admin.organization(organizationId).apiKeys.revoke(keyId),
    untrue: [["keys", organizationId]],
    onDone() {
      onClose();
      tell(`${name} is revoked`, "Requests with it are refused from now on.");
    },
  });
  return (
    <FormDialog
      title={`Revoke ${name}`}
      action="Revoke the key"
      isDanger
      change={revoke}
      failure="The key is not revoked."
      onSubmit={() => revoke.mutate()}
      onClose={onClose}
    >
      <Effect>
        <p>
          {lastUsedAt === null
            ? "It has never been used."
            : `It was used ${formatAgo(lastUsedAt)}. What uses it is refused from the next request on.`}
        </p>
        {scopes.includes("read") && (
          <p>A gate that has no other key lets no request in: it cannot read balances.</p>
        )}
        {scopes.includes("usage") && (
          <p>Usage that is not reported yet waits in the gate's outbox until the gate has another key.</p>
        )}
        <p className="quiet">
          It cannot be undone. To change over without a gap, rotate it. It is in the audit log.
        </p>
      </Effect>
    </FormDialog>
  );
}
