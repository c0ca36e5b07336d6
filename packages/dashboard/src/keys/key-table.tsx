import type { AdminApiKey } from "@creditgate/admin";
import { Badge, Fine } from "../parts/badge.tsx";
import { actorName } from "../parts/changes.ts";
import { DialogButton } from "../parts/dialog-button.tsx";
import { Table } from "../parts/table.tsx";
import { Ago, Day, formatDay } from "../parts/time.tsx";
import { isGood, scopesInWords, stateOf } from "./key.ts";
import { RevokeDialog, RotateDialog } from "./key-dialogs.tsx";

/** Keys with their scopes and states; never the key itself. */
export function KeyTable({ keys, mayChange }: { keys: readonly AdminApiKey[]; mayChange: boolean }) {
  return (
    <Table
      look="keys"
      caption="API keys, the newest first"
      rows={keys}
      idOf={({ keyId }) => keyId}
      columns={(column) => [
        column("Key", { isName: true }, (key) => (
          <>
            {key.name}
            <span className="sub phone">
              {scopesInWords(key.scopes)} <State apiKey={key} />
            </span>
          </>
        )),
        column("Good for", { from: 1 }, ({ scopes }) => <Scopes scopes={scopes} />),
        column("Last used", {}, ({ lastUsedAt }) =>
          lastUsedAt === null ? <span className="quiet">never</span> : <Ago at={lastUsedAt} />,
        ),
        column("Created by", { from: 2, look: "quiet" }, ({ createdBy, createdAt }) => (
          <>
            {createdBy === null ? "" : `${actorName(createdBy)}, `}
            <Day at={createdAt} />
          </>
        )),
        column("State", { from: 1 }, (key) => <State apiKey={key} />),
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
  return words === "everything" ? words : <span className="mono">{words}</span>;
}

function State({ apiKey }: { readonly apiKey: AdminApiKey }) {
  const { expiresAt, revokedAt } = apiKey;
  switch (stateOf(apiKey)) {
    case "valid":
      return <Fine>Valid</Fine>;
    case "ending":
      return (
        <Badge tone="line" icon="clock">
          Until {formatDay(expiresAt ?? "")}
        </Badge>
      );
    case "ended":
      return <Badge>Ended {formatDay(expiresAt ?? "")}</Badge>;
    case "revoked":
      return (
        <Badge tone="bad" icon="close">
          Revoked {formatDay(revokedAt ?? "")}
        </Badge>
      );
  }
}
