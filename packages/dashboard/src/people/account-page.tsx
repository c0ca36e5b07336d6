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
import { Empty, Loaded, Table } from "../parts/table.tsx";
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
          <DialogButton text="Change password">
            <PasswordDialog />
          </DialogButton>
        )
      }
    >
      <section className="panel" aria-label="Account details">
        <Facts
          facts={[
            ["Name", user?.name],
            ["Email", user?.email],
            ["Sign-in method", user !== null && (user.hasPassword ? "Password" : "Identity provider")],
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
          ["Idle timeout", formatExact(session.idleExpiresAt)],
          ["Expires", formatExact(session.expiresAt)],
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
    onDone: () => notify("Password changed", "All other sessions and all tokens have ended."),
  });
  const isWrong = isCreditgateError(form.error) && form.error.problem?.code === "password_wrong";
  const isShort = next !== "" && [...next].length < shortest;
  return (
    <FormDialog
      title="Change password"
      action="Change password"
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
        error={isWrong ? "The current password is wrong" : undefined}
      />
      <Field
        {...bind("next")}
        label="New password"
        name="new-password"
        type="password"
        autoComplete="new-password"
        error={isShort ? `Enter at least ${shortest} characters` : undefined}
        hint={`At least ${shortest} characters. A sentence works well.`}
      />
      <Effect>
        <p>All your other sessions and all your tokens end. This session continues.</p>
        <p className="quiet">Create new tokens afterwards.</p>
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
      failure="The sessions may not have ended."
      send={() => admin.account.signOutEverywhere()}
      onDone={() => {
        // Nothing of this person stays in the page for the next one.
        queryClient.clear();
        return navigate({ to: "/sign-in" });
      }}
    >
      <Effect>
        <p>
          All your sessions end on every device, including this one. Your tokens stay active; revoke them
          separately.
        </p>
      </Effect>
    </ActionDialog>
  );
}

/** Tokens for scripts, which may do what the person may. */
function Tokens() {
  const tokens = useQuery(tokensQuery);
  const create = (
    <DialogButton text="New token" look="sm end">
      <TokenDialog />
    </DialogButton>
  );
  return (
    <Section
      id="tokens"
      title="Tokens"
      end={create}
      lead="For scripts and the command line. A token has your permissions until it expires."
    >
      <Loaded query={tokens} failure="The tokens could not be loaded.">
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="No tokens yet" action={create}>
              A token authenticates a script or the command line as you.
            </Empty>
          ) : (
            <Table
              caption="Tokens, the oldest first"
              rows={rows}
              idOf={({ tokenId }) => tokenId}
              columns={(column) => [
                column("Name", { isName: true, look: "breaks" }, ({ name }) => name),
                column("Status", {}, (token) => <TokenState token={token} />),
                column("Last used", { from: 1, look: "quiet" }, ({ lastUsedAt }) =>
                  lastUsedAt === null ? "never" : <Day at={lastUsedAt} />,
                ),
                column("Created", { from: 2, look: "quiet" }, ({ createdAt }) => <Day at={createdAt} />),
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
  if (isOver(token)) return <Badge tone="line">Expired</Badge>;
  return (
    <>
      <Fine>Active</Fine>{" "}
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
  { value: "365", label: "1 year" },
];

/** Creates a token, which is shown once. */
function TokenDialog() {
  const { values, bind } = useDraft({ name: "", life: "90" });
  const name = values.name.trim();
  return (
    <ActionDialog
      title="New token"
      action="Create token"
      isReady={name !== ""}
      failure="The token was not created."
      send={() => admin.account.tokens.create({ name, expiresAt: daysFromNow(Number(values.life)) })}
      untrue={["tokens"]}
      onDone={(created) => (
        <SecretDialog title={`Token ${created.name} created`} label="Token" secret={created.token}>
          Send it in the header <code>Authorization: Bearer</code>. It expires{" "}
          {formatExact(created.expiresAt)}.
        </SecretDialog>
      )}
    >
      <Field
        {...bind("name")}
        label="Name"
        maxLength={100}
        autoFocus
        hint="What it is for. Shown in the audit log with your name."
      />
      <Choice {...bind("life")} label="Expires after" options={lives} />
    </ActionDialog>
  );
}

/** Revokes a token. */
function RevokeTokenDialog({ token }: { token: UserToken }) {
  return (
    <ActionDialog
      title={`Revoke ${token.name}`}
      action="Revoke token"
      isDanger
      failure="The token could not be revoked."
      send={() => admin.account.tokens.revoke(token.tokenId)}
      untrue={["tokens"]}
      onDone={() => notify(`${token.name} revoked`)}
    >
      <Effect>
        <p>Requests with it are rejected immediately.</p>
        <p className="quiet">This cannot be undone.</p>
      </Effect>
    </ActionDialog>
  );
}
