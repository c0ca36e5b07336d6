import type { AdminApiKey, CreatedApiKey } from "@creditgate/client/admin";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Button } from "react-aria-components";
import { useMay, useOrganizationId } from "../api/account.ts";
import { standing } from "../api/standing.ts";
import { Bones } from "../parts/bones.tsx";
import { Empty } from "../parts/empty.tsx";
import { Failure } from "../parts/failure.tsx";
import { Icon } from "../parts/icon.tsx";
import { Page } from "../parts/page.tsx";
import { SecretDialog } from "../parts/secret-dialog.tsx";
import { isGood } from "./key.ts";
import { KeyDialog } from "./key-dialog.tsx";
import { KeyTable } from "./key-table.tsx";
import { keysQuery } from "./queries.ts";
import { RevokeDialog } from "./revoke-dialog.tsx";
import { RotateDialog } from "./rotate-dialog.tsx";

type Open =
  | { readonly dialog: "create" }
  | { readonly dialog: "rotate" | "revoke"; readonly apiKey: AdminApiKey }
  | { readonly dialog: "shown"; readonly created: CreatedApiKey };

export function KeysPage(): ReactNode {
  const organizationId = useOrganizationId();
  const mayChange = useMay("keys");
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const show = (created: CreatedApiKey) => setOpen({ dialog: "shown", created });
  return (
    <Page
      title="API keys"
      facts={
        <p className="facts">By these your applications speak to {location.host}, as this organization.</p>
      }
      actions={
        mayChange && (
          <Button className="btn primary" data-key="n" onPress={() => setOpen({ dialog: "create" })}>
            <Icon name="plus" />
            New key
          </Button>
        )
      }
    >
      <Keys
        organizationId={organizationId}
        mayChange={mayChange}
        onRotate={(apiKey) => setOpen({ dialog: "rotate", apiKey })}
        onRevoke={(apiKey) => setOpen({ dialog: "revoke", apiKey })}
      />
      {open?.dialog === "create" && <KeyDialog onCreated={show} onClose={close} />}
      {open?.dialog === "rotate" && <RotateDialog apiKey={open.apiKey} onCreated={show} onClose={close} />}
      {open?.dialog === "revoke" && <RevokeDialog apiKey={open.apiKey} onClose={close} />}
      {open?.dialog === "shown" && (
        <SecretDialog
          title={`The key ${open.created.name}`}
          label="API key"
          secret={open.created.apiKey}
          onClose={close}
        >
          Put it where your server finds it, as <code>CREDITGATE_API_KEY</code>, and never into a browser. If
          it is lost, make another; this one can then be revoked.
        </SecretDialog>
      )}
    </Page>
  );
}

function Keys({
  organizationId,
  mayChange,
  onRotate,
  onRevoke,
}: {
  readonly organizationId: string;
  readonly mayChange: boolean;
  readonly onRotate: (key: AdminApiKey) => void;
  readonly onRevoke: (key: AdminApiKey) => void;
}): ReactNode {
  const keys = useQuery(keysQuery(organizationId));
  const { ended } = useSearch({ from: "/shell/organizations/$organizationId/keys" });
  if (keys.isPending) return <Bones />;
  const failure = keys.isError && (
    <Failure
      error={keys.error}
      what="The keys could not be loaded. They go on working."
      onRetry={() => void keys.refetch()}
    />
  );
  const known = standing(keys);
  if (known === undefined) return failure;
  const good = known.filter((key) => isGood(key));
  const over = known.length - good.length;
  const shown = (ended ? known : good).toReversed();
  return (
    <section className="section" aria-label="Keys">
      {failure}
      {shown.length === 0 ? (
        <Empty title="No key yet">
          <p>
            An application needs a key to read balances and to report usage.{" "}
            {mayChange ? "Make one for each application." : "An owner of the organization makes it."}
          </p>
        </Empty>
      ) : (
        <KeyTable keys={shown} mayChange={mayChange} onRotate={onRotate} onRevoke={onRevoke} />
      )}
      {over > 0 && (
        <div className="pager">
          <Link
            className="link"
            to="/organizations/$organizationId/keys"
            params={{ organizationId }}
            search={ended ? {} : { ended: true }}
            replace
          >
            {ended ? "Without ended keys" : `Show ${over} ended`}
          </Link>
        </div>
      )}
    </section>
  );
}
