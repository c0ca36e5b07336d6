import type { CreatedUserToken, UserToken } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Badge, Fine } from "../parts/badge.tsx";
import { TextButton } from "../parts/button.tsx";
import { Loaded } from "../parts/listing.tsx";
import { Section } from "../parts/page.tsx";
import { SecretDialog } from "../parts/secret-dialog.tsx";
import { Table } from "../parts/table.tsx";
import { Day, formatExact } from "../parts/time.tsx";
import { tokensQuery } from "./queries.ts";
import { RevokeTokenDialog, TokenDialog } from "./token-dialogs.tsx";

/** Tokens for scripts, which may do what the person may. */
export function Tokens() {
  const tokens = useQuery(tokensQuery);
  const [isCreating, setIsCreating] = useState(false);
  const [created, setCreated] = useState<CreatedUserToken>();
  const [revoking, setRevoking] = useState<UserToken>();
  return (
    <Section
      id="tokens"
      title="Tokens"
      end={<TextButton text="New token" look="sm end" onPress={() => setIsCreating(true)} />}
      lead="For scripts and the command line: each may do what you may, until it ends."
    >
      <Loaded query={tokens} failure="The tokens could not be loaded.">
        {(rows) =>
          rows.length === 0 ? (
            <p className="quiet small">There are none: a token comes here when you make it.</p>
          ) : (
            <Table
              caption="Tokens, the oldest first"
              rows={rows}
              idOf={({ tokenId }) => tokenId}
              columns={[
                { header: "Name", isName: true, look: "breaks", cell: ({ name }) => name },
                { header: "State", cell: (token) => <TokenState token={token} /> },
                {
                  header: "Last used",
                  from: 1,
                  look: "quiet",
                  cell: ({ lastUsedAt }) => (lastUsedAt === null ? "never" : <Day at={lastUsedAt} />),
                },
                { header: "Made", from: 2, look: "quiet", cell: ({ createdAt }) => <Day at={createdAt} /> },
                {
                  header: "Actions",
                  isUnseen: true,
                  look: "end",
                  cell: (token) =>
                    !isOver(token) && (
                      <TextButton
                        text="Revoke"
                        look="sm danger"
                        unseen={token.name}
                        onPress={() => setRevoking(token)}
                      />
                    ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {isCreating && <TokenDialog onClose={() => setIsCreating(false)} onCreated={setCreated} />}
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
    </Section>
  );
}

function isOver({ revokedAt, expiresAt }: UserToken): boolean {
  return revokedAt !== null || Date.parse(expiresAt) <= Date.now();
}

function TokenState({ token }: { readonly token: UserToken }) {
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
