import type { UserToken } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { Badge, Fine } from "../parts/badge.tsx";
import { DialogButton } from "../parts/dialog-button.tsx";
import { Loaded } from "../parts/listing.tsx";
import { Section } from "../parts/page.tsx";
import { Table } from "../parts/table.tsx";
import { Day } from "../parts/time.tsx";
import { tokensQuery } from "./queries.ts";
import { RevokeTokenDialog, TokenDialog } from "./token-dialogs.tsx";

/** Tokens for scripts, which may do what the person may. */
export function Tokens() {
  const tokens = useQuery(tokensQuery);
  return (
    <Section
      id="tokens"
      title="Tokens"
      end={
        <DialogButton text="New token" look="sm end">
          <TokenDialog />
        </DialogButton>
      }
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
              columns={(column) => [
                column("Name", { isName: true, look: "breaks" }, ({ name }) => name),
                column("State", {}, (token) => <TokenState token={token} />),
                column("Last used", { from: 1, look: "quiet" }, ({ lastUsedAt }) =>
                  lastUsedAt === null ? "never" : <Day at={lastUsedAt} />,
                ),
                column("Made", { from: 2, look: "quiet" }, ({ createdAt }) => <Day at={createdAt} />),
                column("Actions", { isUnseen: true, look: "end" }, (token) => (
                  <DialogButton text="Revoke" look="sm danger" unseen={token.name} isShown={!isOver(token)}>
                    <RevokeTokenDialog token={token} />
                  </DialogButton>
                )),
              ]}
            />
          )
        }
      </Loaded>
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
