import type { AccountSession, AdminAccount } from "@creditgate/admin";
import { isCreditgateError } from "@creditgate/client";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { admin, queryClient } from "../api/client.ts";
import { useAction, useDraft } from "../api/edit.ts";
import { accountQuery } from "../api/query.ts";
import { Field } from "../parts/field.tsx";
import { ActionDialog, DialogButton, Effect, FormDialog } from "../parts/form-dialog.tsx";
import { Facts, Page, Section } from "../parts/page.tsx";
import { formatExact } from "../parts/time.tsx";
import { notify } from "../parts/toasts.tsx";
import { Tokens } from "./tokens.tsx";
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
