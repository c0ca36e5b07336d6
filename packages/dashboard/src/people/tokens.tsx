import type { CreatedUserToken, UserToken } from "@creditgate/client/admin";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Button } from "react-aria-components";
import { Badge } from "../parts/badge.tsx";
import { Fine } from "../parts/fine.tsx";
import { WholeListing } from "../parts/listing.tsx";
import { SecretDialog } from "../parts/secret-dialog.tsx";
import { Day, formatExact } from "../parts/time.tsx";
import { tokensQuery } from "./queries.ts";
import { RevokeTokenDialog, TokenDialog } from "./token-dialogs.tsx";

/** Tokens for scripts, which may do what the person may. */
export function Tokens(): ReactNode {
  const tokens = useQuery(tokensQuery);
  const [isCreating, setIsCreating] = useState(false);
  const [created, setCreated] = useState<CreatedUserToken>();
  const [revoking, setRevoking] = useState<UserToken>();
  return (
    <section className="section" aria-labelledby="tokens">
      <header>
        <h2 id="tokens">Tokens</h2>
        <Button className="btn sm end" onPress={() => setIsCreating(true)}>
          New token
        </Button>
        <p>For scripts and the command line: each may do what you may, until it ends.</p>
      </header>
      <WholeListing
        query={tokens}
        failure="The tokens could not be loaded."
        empty={<p className="quiet small">There are none: a token comes here when you make it.</p>}
      >
        {(rows) => (
          <table>
            <caption className="unseen">Tokens, the oldest first</caption>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">State</th>
                <th scope="col" className="p1">
                  Last used
                </th>
                <th scope="col" className="p2">
                  Made
                </th>
                <th scope="col">
                  <span className="unseen">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((token) => (
                <tr key={token.tokenId}>
                  <th scope="row" className="breaks">
                    {token.name}
                  </th>
                  <td>
                    <TokenState token={token} />
                  </td>
                  <td className="quiet p1">
                    {token.lastUsedAt === null ? "never" : <Day at={token.lastUsedAt} />}
                  </td>
                  <td className="quiet p2">
                    <Day at={token.createdAt} />
                  </td>
                  <td className="end">
                    {!isOver(token) && (
                      <Button className="btn sm danger" onPress={() => setRevoking(token)}>
                        Revoke<span className="unseen"> {token.name}</span>
                      </Button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </WholeListing>
      {isCreating && (
        <TokenDialog
          onClose={() => setIsCreating(false)}
          onCreated={(token) => {
            setIsCreating(false);
            setCreated(token);
          }}
        />
      )}
      {revoking !== undefined && (
        <RevokeTokenDialog token={revoking} onClose={() => setRevoking(undefined)} />
      )}
      {created !== undefined && (
        <SecretDialog
          title={`The token ${created.name}`}
          label="Token"
          secret={created.token}
          onClose={() => setCreated(undefined)}
        >
          It goes in the header <code>Authorization: Bearer</code>, and ends {formatExact(created.expiresAt)}.
        </SecretDialog>
      )}
    </section>
  );
}

function isOver({ revokedAt, expiresAt }: UserToken): boolean {
  return revokedAt !== null || Date.parse(expiresAt) <= Date.now();
}

function TokenState({ token }: { readonly token: UserToken }): ReactNode {
  if (token.revokedAt !== null) return <Badge tone="line">Revoked</Badge>;
  if (isOver(token)) return <Badge tone="line">Ended</Badge>;
  return (
    <>
      <Fine>Valid</Fine>{" "}
      <span className="small quiet">
        until <Day at={token.expiresAt} />
      </span>
    </>
  );
}
