import type { AdminApiKey } from "@creditgate/client/admin";
import type { ReactNode } from "react";
import { Button } from "react-aria-components";
import { actorName } from "../parts/actor.ts";
import { Ago } from "../parts/ago.tsx";
import { Badge } from "../parts/badge.tsx";
import { Fine } from "../parts/fine.tsx";
import { Day, formatDay } from "../parts/time.tsx";
import { isGood, scopesInWords, stateOf } from "./key.ts";

interface Actions {
  readonly mayChange: boolean;
  readonly onRotate: (key: AdminApiKey) => void;
  readonly onRevoke: (key: AdminApiKey) => void;
}

/** Keys with what they are good for; nothing here tells the key. */
export function KeyTable({
  keys,
  ...actions
}: Actions & { readonly keys: readonly AdminApiKey[] }): ReactNode {
  return (
    <table className="keys">
      <caption className="unseen">API keys, the newest first</caption>
      <thead>
        <tr>
          <th scope="col">Key</th>
          <th scope="col" className="p1">
            Good for
          </th>
          <th scope="col">Last used</th>
          <th scope="col" className="p2">
            Created by
          </th>
          <th scope="col" className="p1">
            State
          </th>
          {actions.mayChange && (
            <th scope="col">
              <span className="unseen">Actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <Row key={key.keyId} apiKey={key} {...actions} />
        ))}
      </tbody>
    </table>
  );
}

function Row({
  apiKey,
  mayChange,
  onRotate,
  onRevoke,
}: Actions & { readonly apiKey: AdminApiKey }): ReactNode {
  const { name, scopes, lastUsedAt, createdAt, createdBy } = apiKey;
  return (
    <tr>
      <th scope="row">
        {name}
        <span className="sub phone">
          {scopesInWords(scopes)} <State apiKey={apiKey} />
        </span>
      </th>
      <td className="p1">
        <Scopes scopes={scopes} />
      </td>
      <td>{lastUsedAt === null ? <span className="quiet">never</span> : <Ago at={lastUsedAt} />}</td>
      <td className="p2 quiet">
        {createdBy === null ? "" : `${actorName(createdBy)}, `}
        <Day at={createdAt} />
      </td>
      <td className="p1">
        <State apiKey={apiKey} />
      </td>
      {mayChange && (
        <td className="acts">
          {isGood(apiKey) && (
            <>
              <Button className="btn sm" aria-label={`Rotate ${name}`} onPress={() => onRotate(apiKey)}>
                Rotate
              </Button>
              <Button
                className="btn sm danger"
                aria-label={`Revoke ${name}`}
                onPress={() => onRevoke(apiKey)}
              >
                Revoke
              </Button>
            </>
          )}
        </td>
      )}
    </tr>
  );
}

function Scopes({ scopes }: { readonly scopes: readonly string[] }): ReactNode {
  const words = scopesInWords(scopes);
  return words === "everything" ? words : <span className="mono">{words}</span>;
}

function State({ apiKey }: { readonly apiKey: AdminApiKey }): ReactNode {
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
