import type { AdminAccount } from "@creditgate/admin";
import { isCreditgateError } from "@creditgate/client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "react-aria-components";
import { accountKey, admin, queryClient } from "../api/client.ts";
import { isOwnPath } from "../parts/address.ts";
import { explain } from "../parts/failure.tsx";
import { Field } from "../parts/field.tsx";
import { Refusal, SignPage } from "./sign-page.tsx";

export function SignInPage() {
  const { next } = useSearch({ from: "/sign-in" });
  const navigate = useNavigate();
  const form = useSignIn(async (account) => {
    queryClient.clear();
    queryClient.setQueryData(accountKey, account);
    // Looked at here too: a link to this page may come from anywhere, and the router follows one to another site.
    await (isOwnPath(next) ? navigate({ href: next }) : navigate({ to: "/" }));
  });
  return <SignPage title="Sign in to Creditgate" words={location.host} {...form} />;
}

/** What a form sends and shows that signs in; with an `email`, that of the person whose session has ended. */
export function useSignIn(onDone: (account: AdminAccount) => unknown, email?: string) {
  const isAgain = email !== undefined;
  const [written, setWritten] = useState(email ?? "");
  const [password, setPassword] = useState("");
  const { data: ways } = useQuery({
    queryKey: ["sign-in-ways"],
    queryFn: ({ signal }) => admin.account.signInWays({ signal }),
  });
  const signIn = useMutation({
    mutationFn: () => admin.account.signIn({ email: written, password }),
    onSuccess: onDone,
    onError: () => setPassword(""),
  });
  return {
    onSubmit() {
      if (written !== "" && password !== "" && !signIn.isPending) signIn.mutate();
    },
    children: (
      <>
        {ways?.hasUsers === false && (
          <p className="note">
            There is no account yet. Open the link that <code>creditgate serve</code> printed for the first
            owner.
          </p>
        )}
        <Field
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          value={written}
          onChange={setWritten}
          isLarge
          autoFocus={!isAgain}
        />
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          isLarge
          autoFocus={isAgain}
        />
        {signIn.isError && <Refusal>{refusal(signIn.error)}</Refusal>}
        <Button className="btn primary lg wide-always" type="submit" isPending={signIn.isPending}>
          Sign in
        </Button>
        {ways?.identityProvider != null && (
          // In a window of its own, if this one keeps what was typed: it looks who has signed in once it is shown again.
          <a className="btn lg" href="/admin/api/oidc/start" target={isAgain ? "_blank" : undefined}>
            Sign in with {ways.identityProvider}
          </a>
        )}
        <p className="small quiet">Forgot your password? An operator can send you a link to set a new one.</p>
      </>
    ),
  };
}

function refusal(error: unknown): string {
  return isCreditgateError(error) && error.status === 401
    ? "The email or the password is wrong."
    : explain(error);
}
