import type { AccountSession, AdminAccount, UserToken } from "@creditgate/admin";
import { isCreditgateError } from "@creditgate/client";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { admin, queryClient } from "../api/client.ts";
import { useAction, useDraft } from "../api/edit.ts";
import { accountQuery } from "../api/query.ts";
import { Badge, Fine } from "../parts/badge.tsx";
import { Choice, Field } from "../parts/field.tsx";
import { ActionDialog, DialogButton, Effect, FormDialog } from "../parts/form-dialog.tsx";
import { Facts, Page, Section } from "../parts/page.tsx";
import { SecretDialog } from "../parts/secret-dialog.tsx";
import { Loaded, Table } from "../parts/table.tsx";
import { Day, daysFromNow, formatExact } from "../parts/time.tsx";
import { notify } from "../parts/toasts.tsx";
import { tokensQuery } from "./queries.ts";
import { roleNames } from "./words.ts";

/** One's own account: what it may do, its password, its sessions and its tokens. */
export function AccountPage() {
  const { data: account } = useQuery(accountQuery);
  if (account === null || account === undefined) return <div className="wrap" aria-busy="true" />;
  const { user, session } = account;
  return (
    <Page
      title="Your account"
      actions={
        user?.hasPassword === true && (
          <DialogButton text="Change the password">
            <PasswordDialog />
          </DialogButton>
        )
      }
    >
      <section className="panel" aria-label="What is known of you">
        <Facts
          facts={[
            ["Name", user?.name],
            ["Email", user?.email],
            ["Signs in by", user !== null && (user.hasPassword ? "Password" : "The identity provider")],
            ["Roles", rolesOf(account)],
          ]}
        />
      </section>
      {session !== null && <Session session={session} />}
      {session !== null && <Tokens />}
    </Page>
  );
}

function rolesOf({ operator, organizations }: AdminAccount) {
  if (operator) return "Operator: everything, in every organization";
  return organizations.map(({ organizationId, name, roles }) => (
    <span key={organizationId} className="each">
      {name}: {roleNames(roles)}
    </span>
  ));
}

function Session({ session }: { session: AccountSession }) {
  return (
    <Section
      id="session"
      title="This session"
      end={
        <DialogButton text="Sign out everywhere" look="sm end">
          <EverywhereDialog />
        </DialogButton>
      }
    >
      <Facts
        facts={[
          ["Signed in", formatExact(session.createdAt)],
          ["Ends without a request", formatExact(session.idleExpiresAt)],
          ["Ends in any case", formatExact(session.expiresAt)],
        ]}
      />
    </Section>
  );
}

const shortest = 12;

/** Changes one's own password. */
function PasswordDialog() {
  const { values, set, bind } = useDraft({ current: "", next: "" });
  const { current, next } = values;
  const form = useAction({
    send: () => admin.account.changePassword({ currentPassword: current, newPassword: next }),
    untrue: ["account", "tokens"],
    onDone: () => notify("The password is changed", "All other sessions have ended, and all tokens."),
  });
  const isWrong = isCreditgateError(form.error) && form.error.problem?.code === "password_wrong";
  const isShort = next !== "" && [...next].length < shortest;
  return (
    <FormDialog
      title="Change the password"
      action="Change the password"
      isReady={current !== "" && next !== "" && !isShort}
      form={isWrong ? { ...form, error: null } : form}
      failure="The password was not changed."
    >
      <Field
        label="Current password"
        name="current-password"
        type="password"
        autoComplete="current-password"
        value={current}
        onChange={(text) => {
          form.reset();
          set({ current: text });
        }}
        autoFocus
        error={isWrong ? "It is another one" : undefined}
      />
      <Field
        {...bind("next")}
        label="New password"
        name="new-password"
        type="password"
        autoComplete="new-password"
        error={isShort ? `${shortest} characters or more` : undefined}
        hint={`${shortest} characters or more. A sentence is good.`}
      />
      <Effect>
        <p>All your other sessions end, and all your tokens. This session goes on.</p>
        <p className="quiet">Ended tokens are not opened again: make others.</p>
      </Effect>
    </FormDialog>
  );
}

/** Ends all sessions of the person, this one too. */
function EverywhereDialog() {
  const navigate = useNavigate();
  return (
    <ActionDialog
      title="Sign out everywhere"
      action="Sign out everywhere"
      failure="It is not certain that the sessions have ended."
      send={() => admin.account.signOutEverywhere()}
      onDone={() => {
        // Nothing of this person stays in the page for the next one.
        queryClient.clear();
        return navigate({ to: "/sign-in" });
      }}
    >
      <Effect>
        <p>
          All your sessions end, on every device, this one too. Your tokens go on: revoke them by themselves.
        </p>
      </Effect>
    </ActionDialog>
  );
}

/** Tokens for scripts, which may do what the person may. */
function Tokens() {
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
