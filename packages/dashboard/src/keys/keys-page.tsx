import type { AdminApiKey, CreatedApiKey } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useMay, useOrganizationId } from "../api/account.ts";
import { TextButton } from "../parts/button.tsx";
import { Empty, Loaded } from "../parts/listing.tsx";
import { Page } from "../parts/page.tsx";
import { SecretDialog } from "../parts/secret-dialog.tsx";
import { isGood, keysQuery } from "./key.ts";
import { KeyDialog, RevokeDialog, RotateDialog } from "./key-dialogs.tsx";
import { KeyTable } from "./key-table.tsx";

type Open =
  | { readonly dialog: "create" }
  | { readonly dialog: "rotate" | "revoke"; readonly apiKey: AdminApiKey };

export function KeysPage() {
  const mayChange = useMay("keys");
  const [open, setOpen] = useState<Open>();
  const [created, setCreated] = useState<CreatedApiKey>();
  const close = () => setOpen(undefined);
  return (
    <Page
      title="API keys"
      facts={
        <p className="facts">By these your applications speak to {location.host}, as this organization.</p>
      }
      actions={
        mayChange && (
          <TextButton
            text="New key"
            look="primary"
            icon="plus"
            data-key="n"
            onPress={() => setOpen({ dialog: "create" })}
          />
        )
      }
    >
      <Keys mayChange={mayChange} onAct={(dialog, apiKey) => setOpen({ dialog, apiKey })} />
      {open?.dialog === "create" && <KeyDialog onCreated={setCreated} onClose={close} />}
      {open?.dialog === "rotate" && (
        <RotateDialog apiKey={open.apiKey} onCreated={setCreated} onClose={close} />
      )}
      {open?.dialog === "revoke" && <RevokeDialog apiKey={open.apiKey} onClose={close} />}
      {created !== undefined && (
        <SecretDialog
          title={`The key ${created.name}`}
          label="API key"
          secret={created.apiKey}
          onClose={() => setCreated(undefined)}
        >
          Put it where your server finds it, as <code>CREDITGATE_API_KEY</code>, and never into a browser. If
          it is lost, make another; this one can then be revoked.
        </SecretDialog>
      )}
    </Page>
  );
}

function Keys({
  mayChange,
  onAct,
}: {
  readonly mayChange: boolean;
  readonly onAct: (dialog: "rotate" | "revoke", apiKey: AdminApiKey) => void;
}) {
  const organizationId = useOrganizationId();
  const keys = useQuery(keysQuery(organizationId));
  const { ended } = useSearch({ from: "/shell/organizations/$organizationId/keys" });
  return (
    <Loaded query={keys} failure="The keys could not be loaded. They go on working.">
      {(known) => {
        const good = known.filter((key) => isGood(key));
        const over = known.length - good.length;
        const shown = (ended ? known : good).toReversed();
        return (
          <section className="section" aria-label="Keys">
            {shown.length === 0 ? (
              <Empty title="No key yet">
                An application needs a key to read balances and to report usage.{" "}
                {mayChange ? "Make one for each application." : "An owner of the organization makes it."}
              </Empty>
            ) : (
              <KeyTable keys={shown} mayChange={mayChange} onAct={onAct} />
            )}
            {over > 0 && (
              <div className="pager">
                <Link className="link" to="." search={ended ? {} : { ended: true }} replace>
                  {ended ? "Without ended keys" : `Show ${over} ended`}
                </Link>
              </div>
            )}
          </section>
        );
      }}
    </Loaded>
  );
}
