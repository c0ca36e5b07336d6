import type { CreatedWebhook } from "@creditgate/client/admin";
import type { ReactNode } from "react";
import { SecretDialog } from "../parts/secret-dialog.tsx";

/** The secret of an endpoint, which verifies that a message is from here. */
export function EndpointSecret({
  title,
  endpoint,
  onClose,
}: {
  readonly title: string;
  readonly endpoint: CreatedWebhook;
  readonly onClose: () => void;
}): ReactNode {
  return (
    <SecretDialog title={title} label="Secret" secret={endpoint.secret} onClose={onClose}>
      Your endpoint verifies the header <code>webhook-signature</code> with it, as the libraries of{" "}
      <span className="nobreak">Standard Webhooks</span> do. Lost, it is rotated.
    </SecretDialog>
  );
}
