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
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const { next } = useSearch({ from: "/sign-in" });
  const navigate = useNavigate();
  const { data: ways } = useQuery({
    queryKey: ["sign-in-ways"],
    queryFn: ({ signal }) => admin.account.signInWays({ signal }),
  });
  const signIn = useMutation({
    mutationFn: () => admin.account.signIn({ email, password }),
    async onSuccess(account) {
      queryClient.clear();
      queryClient.setQueryData(accountKey, account);
      // Looked at here too: a link to this page may come from anywhere, and the router follows one to another site.
      await (isOwnPath(next) ? navigate({ href: next }) : navigate({ to: "/" }));
    },
    onError: () => setPassword(""),
  });
  return (
    <SignPage
      title="Sign in to Creditgate"
      words={location.host}
      onSubmit={() => {
        if (email !== "" && password !== "" && !signIn.isPending) signIn.mutate();
      }}
    >
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
        value={email}
        onChange={setEmail}
        isLarge
        autoFocus
      />
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        isLarge
      />
      {signIn.isError && <Refusal>{refusal(signIn.error)}</Refusal>}
      <Button className="btn primary lg wide-always" type="submit" isPending={signIn.isPending}>
        Sign in
      </Button>
      {ways?.identityProvider != null && (
        <a className="btn lg" href="/admin/api/oidc/start">
          Sign in with {ways.identityProvider}
        </a>
      )}
      <p className="small quiet">Forgotten it? An operator can send you a new link.</p>
    </SignPage>
  );
}

function refusal(error: unknown): string {
  return isCreditgateError(error) && error.status === 401
    ? "The email or the password is wrong."
    : explain(error);
}
