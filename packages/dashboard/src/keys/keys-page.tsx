import type { AdminApiKey } from "@creditgate/admin";
import { Link, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useAnswer, useMay } from "../api/query.ts";
import { Badge, Fine } from "../parts/badge.tsx";
import { actorName } from "../parts/changes.ts";
import { DialogButton } from "../parts/form-dialog.tsx";
import { Name } from "../parts/name.tsx";
import { Page } from "../parts/page.tsx";
import { Empty, Loaded, Table } from "../parts/table.tsx";
import { Ago, Day, formatDay } from "../parts/time.tsx";
import { isGood, keysQuery, scopesInWords, stateOf } from "./key.ts";
import { KeyDialog, RevokeDialog, RotateDialog } from "./key-dialogs.tsx";

export function KeysPage() {
  const mayChange = useMay("keys");
  const create = mayChange && (
    <DialogButton text="New key" look="primary" icon="plus" data-key="n">
      <KeyDialog />
    </DialogButton>
  );
  return (
    <Page
      title="API keys"
      facts={<p className="facts">Your applications authenticate to {location.host} with these keys.</p>}
      actions={create}
    >
      <Keys mayChange={mayChange} create={create} />
    </Page>
  );
}

function Keys({ mayChange, create }: { readonly mayChange: boolean; readonly create: ReactNode }) {
  const keys = useAnswer(keysQuery);
  const { ended } = useSearch({ from: "/shell/organizations/$organizationId/keys" });
  return (
    <Loaded query={keys} failure="The keys could not be loaded. They still work.">
      {(known) => {
        const good = known.filter((key) => isGood(key));
        const over = known.length - good.length;
        const shown = (ended ? known : good).toReversed();
        return (
          <section className="section" aria-label="Keys">
            {shown.length === 0 ? (
              <Empty title="No API keys yet" action={create}>
                Your application authenticates with an API key to read balances and report usage.{" "}
                {mayChange
                  ? "Create one for each application."
                  : "An owner of the organization can create one."}
              </Empty>
            ) : (
              <KeyTable keys={shown} mayChange={mayChange} />
            )}
            {over > 0 && (
              <div className="pager">
                <Link className="link" to="." search={ended ? {} : { ended: true }} replace>
                  {ended ? "Hide inactive keys" : `Show ${over} inactive`}
                </Link>
              </div>
            )}
          </section>
        );
      }}
    </Loaded>
  );
}

/** Keys with their scopes and states; never the key itself. */
function KeyTable({ keys, mayChange }: { keys: readonly AdminApiKey[]; mayChange: boolean }) {
  return (
    <Table
      look="keys"
      caption="API keys, the newest first"
      rows={keys}
      idOf={({ keyId }) => keyId}
      columns={(column) => [
        column("Key", { isName: true }, (key) => (
          <>
            <Name>{key.name}</Name>
            <span className="sub phone">
              {scopesInWords(key.scopes)} <State apiKey={key} />
            </span>
          </>
        )),
        column("Scopes", { from: 1 }, ({ scopes }) => <Scopes scopes={scopes} />),
        column("Last used", {}, ({ lastUsedAt }) =>
          lastUsedAt === null ? <span className="quiet">never</span> : <Ago at={lastUsedAt} />,
        ),
        column("Created by", { from: 2, look: "quiet" }, ({ createdBy, createdAt }) => (
          <>
            {createdBy === null ? "" : `${actorName(createdBy)}, `}
            <Day at={createdAt} />
          </>
        )),
        column("Status", { from: 1 }, (key) => <State apiKey={key} />),
        mayChange &&
          column("Actions", { isUnseen: true, look: "acts" }, (key) => (
            <>
              <DialogButton text="Rotate" look="sm" unseen={key.name} isShown={isGood(key)}>
                <RotateDialog apiKey={key} />
              </DialogButton>
              <DialogButton text="Revoke" look="sm danger" unseen={key.name} isShown={isGood(key)}>
                <RevokeDialog apiKey={key} />
              </DialogButton>
            </>
          )),
      ]}
    />
  );
}

function Scopes({ scopes }: { readonly scopes: readonly string[] }) {
  const words = scopesInWords(scopes);
  return words === "Full access" ? words : <span className="mono">{words}</span>;
}

function State({ apiKey }: { readonly apiKey: AdminApiKey }) {
  const { expiresAt, revokedAt } = apiKey;
  switch (stateOf(apiKey)) {
    case "valid":
      return <Fine>Active</Fine>;
    case "ending":
      return (
        <Badge tone="line" icon="clock">
          Expires {formatDay(expiresAt ?? "")}
        </Badge>
      );
    case "ended":
      return <Badge>Expired {formatDay(expiresAt ?? "")}</Badge>;
    case "revoked":
      return (
        <Badge tone="bad" icon="close">
          Revoked {formatDay(revokedAt ?? "")}
        </Badge>
      );
  }
}
