import type { AdminApiKey } from "@creditgate/admin";
import { Button } from "react-aria-components";
import { Badge, Fine } from "../parts/badge.tsx";
import { actorName } from "../parts/changes.ts";
import { Table } from "../parts/table.tsx";
import { Ago, Day, formatDay } from "../parts/time.tsx";
import { isGood, scopesInWords, stateOf } from "./key.ts";

interface KeyTableProps {
  readonly keys: readonly AdminApiKey[];
  readonly mayChange: boolean;
  readonly onAct: (dialog: "rotate" | "revoke", apiKey: AdminApiKey) => void;
}

/** Keys with their scopes and states; never the key itself. */
export function KeyTable({ keys, mayChange, onAct }: KeyTableProps) {
  return (
    <Table
      look="keys"
      caption="API keys, the newest first"
      rows={keys}
      idOf={({ keyId }) => keyId}
      columns={[
        {
          header: "Key",
          isName: true,
          cell: (key) => (
            <>
              {key.name}
              <span className="sub phone">
                {scopesInWords(key.scopes)} <State apiKey={key} />
              </span>
            </>
          ),
        },
        { header: "Good for", from: 1, cell: ({ scopes }) => <Scopes scopes={scopes} /> },
        {
          header: "Last used",
          cell: ({ lastUsedAt }) =>
            lastUsedAt === null ? <span className="quiet">never</span> : <Ago at={lastUsedAt} />,
        },
        {
          header: "Created by",
          from: 2,
          look: "quiet",
          cell: ({ createdBy, createdAt }) => (
            <>
              {createdBy === null ? "" : `${actorName(createdBy)}, `}
              <Day at={createdAt} />
            </>
          ),
        },
        { header: "State", from: 1, cell: (key) => <State apiKey={key} /> },
        mayChange && {
          header: "Actions",
          isUnseen: true,
          look: "acts",
          cell: (key) =>
            isGood(key) && (
              <>
                <Button
                  className="btn sm"
                  aria-label={`Rotate ${key.name}`}
                  onPress={() => onAct("rotate", key)}
                >
                  Rotate
                </Button>
                <Button
                  className="btn sm danger"
                  aria-label={`Revoke ${key.name}`}
                  onPress={() => onAct("revoke", key)}
                >
                  Revoke
                </Button>
              </>
            ),
        },
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
