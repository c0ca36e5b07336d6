import type { UserToken } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { admin } from "../api/client.ts";
import { useDraft } from "../api/edit.ts";
import { Badge, Fine } from "../parts/badge.tsx";
import { Choice, Field } from "../parts/field.tsx";
import { ActionDialog, DialogButton, Effect } from "../parts/form-dialog.tsx";
import { Section } from "../parts/page.tsx";
import { SecretDialog } from "../parts/secret-dialog.tsx";
import { Loaded, Table } from "../parts/table.tsx";
import { Day, daysFromNow, formatExact } from "../parts/time.tsx";
import { notify } from "../parts/toasts.tsx";
import { tokensQuery } from "./queries.ts";

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

/** For how many days. */
const lives = [
  { value: "90", label: "90 days" },
  { value: "30", label: "30 days" },
  { value: "7", label: "7 days" },
  { value: "365", label: "A year" },
];

/** Creates a token, which is shown once. */
function TokenDialog() {
  const { values, bind } = useDraft({ name: "", life: "90" });
  const name = values.name.trim();
  return (
    <ActionDialog
      title="New token"
      action="Make the token"
      isReady={name !== ""}
      failure="The token was not made."
      send={() => admin.account.tokens.create({ name, expiresAt: daysFromNow(Number(values.life)) })}
      untrue={["tokens"]}
      onDone={(created) => (
        <SecretDialog title={`The token ${created.name}`} label="Token" secret={created.token}>
          It goes in the header <code>Authorization: Bearer</code>, and ends {formatExact(created.expiresAt)}.
        </SecretDialog>
      )}
    >
      <Field
        {...bind("name")}
        label="Name"
        maxLength={100}
        autoFocus
        hint="What it is for. It stands in the audit log, with you."
      />
      <Choice {...bind("life")} label="Ends after" options={lives} />
    </ActionDialog>
  );
}

/** Revokes a token. */
function RevokeTokenDialog({ token }: { token: UserToken }) {
  return (
    <ActionDialog
      title={`Revoke ${token.name}`}
      action="Revoke the token"
      isDanger
      failure="The token is not revoked."
      send={() => admin.account.tokens.revoke(token.tokenId)}
      untrue={["tokens"]}
      onDone={() => notify(`${token.name} is revoked`)}
    >
      <Effect>
        <p>What uses it is refused from the next request on.</p>
        <p className="quiet">It cannot be undone: make another token.</p>
      </Effect>
    </ActionDialog>
  );
}
