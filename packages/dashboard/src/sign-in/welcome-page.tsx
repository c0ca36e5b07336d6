import type { OneTimeLink } from "@creditgate/admin";
import { isCreditgateError } from "@creditgate/client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useLocation, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "react-aria-components";
import { accountKey, admin, queryClient } from "../api/client.ts";
import { accountQuery } from "../api/query.ts";
import { explain, Failure } from "../parts/failure.tsx";
import { Field } from "../parts/field.tsx";
import { Refusal, SignPage } from "./sign-page.tsx";

const { useLink: redeem } = admin.account;

/** What is behind the # reaches no server. The page that follows takes this one's place in the history. */
function useToken(): string {
  const { hash } = useLocation();
  return new URLSearchParams(hash).get("token") ?? "";
}

/** The page that a one-time link opens: the first owner, an invitation, a new password. */
export function WelcomePage() {
  // Another link may be opened where one did not work: then only what is behind the # changes.
  const token = useToken();
  return <Welcome key={token} token={token} />;
}

function Welcome({ token }: { readonly token: string }) {
  const link = useQuery({
    queryKey: ["link", token],
    queryFn: ({ signal }) => admin.account.readLink({ token }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (link.isPending) return <div className="sign" aria-busy="true" />;
  if (link.isError) return <Useless error={link.error} />;
  return link.data.needsSession ? <Joining link={link.data} /> : <Account link={link.data} />;
}

function Useless({ error }: { readonly error: unknown }) {
  const isOver =
    isCreditgateError(error) && (error.status === 404 || error.status === 400 || error.status === undefined);
  return (
    <SignPage
      title="This link is not valid"
      words="A link works once and expires."
      onSubmit={() => undefined}
    >
      {isOver ? (
        <p>
          Ask its sender for a new one. For the first owner, restart <code>creditgate serve</code>: it prints
          a new link.
        </p>
      ) : (
        <Failure error={error} what="The link could not be read." />
      )}
      <Link className="btn lg" to="/sign-in">
        Sign in
      </Link>
    </SignPage>
  );
}

const titles: Readonly<Record<OneTimeLink["kind"], string>> = {
  first_owner: "Create the first account",
  invitation: "Create your account",
  password: "Choose a new password",
};

function wordsFor({ kind, organization, email }: OneTimeLink): string {
  if (kind === "first_owner") return `It has full access to ${location.host}.`;
  if (kind === "password") return email ?? "";
  return organization === null ? `${email ?? ""}, as an operator` : `${email ?? ""}, to ${organization}`;
}

function useRedemption(body: {
  readonly email?: string;
  readonly name?: string;
  readonly password?: string;
}) {
  const navigate = useNavigate();
  const token = useToken();
  return useMutation({
    mutationFn: () => redeem({ token, ...body }),
    async onSuccess(account) {
      queryClient.clear();
      queryClient.setQueryData(accountKey, account);
      await navigate({ to: "/", replace: true });
    },
  });
}

const shortest = 12;

function Account({ link }: { readonly link: OneTimeLink }) {
  const [email, setEmail] = useState(link.email ?? "");
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const isNew = link.kind !== "password";
  const use = useRedemption({
    password,
    ...(link.email === null ? { email } : {}),
    ...(isNew && name.trim() !== "" ? { name: name.trim() } : {}),
  });
  const isReady = email.includes("@") && [...password].length >= shortest;
  return (
    <SignPage
      title={titles[link.kind]}
      words={wordsFor(link)}
      onSubmit={() => {
        if (isReady && !use.isPending) use.mutate();
      }}
    >
      {link.email === null && (
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
      )}
      {isNew && (
        <Field
          label="Your name"
          name="name"
          autoComplete="name"
          value={name}
          onChange={setName}
          maxLength={100}
          isLarge
          hint="Shown to your colleagues."
        />
      )}
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
        isLarge
        hint={`At least ${shortest} characters. A sentence works well.`}
      />
      {use.isError && <Refusal>{refusal(use.error)}</Refusal>}
      <Button
        className="btn primary lg wide-always"
        type="submit"
        isDisabled={!isReady}
        isPending={use.isPending}
      >
        {isNew ? "Create account" : "Set password"}
      </Button>
    </SignPage>
  );
}

/** One who has an account is invited to another organisation. */
function Joining({ link }: { readonly link: OneTimeLink }) {
  const account = useQuery(accountQuery);
  const use = useRedemption({});
  const isThatOne = account.data?.user?.email === link.email;
  return (
    <SignPage
      title={link.organization === null ? "Become an operator" : `Join ${link.organization}`}
      words={link.email ?? ""}
      onSubmit={() => {
        if (isThatOne && !use.isPending) use.mutate();
      }}
    >
      {isThatOne ? (
        <Button className="btn primary lg wide-always" type="submit" isPending={use.isPending}>
          Join
        </Button>
      ) : (
        <p>
          You already have an account.{" "}
          <Link className="inline-link" to="/sign-in">
            Sign in
          </Link>{" "}
          with this email, then open the link again.
        </p>
      )}
      {use.isError && <Refusal>{refusal(use.error)}</Refusal>}
    </SignPage>
  );
}

/** What the control plane says of a field, such as a password that is easy to guess. */
function refusal(error: unknown): string {
  return firstField(error) ?? explain(error);
}

function firstField(error: unknown): string | undefined {
  if (!isCreditgateError(error)) return undefined;
  const { errors } = error.problem ?? {};
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  if (typeof first !== "object" || first === null || !("detail" in first)) return undefined;
  return typeof first.detail === "string" ? first.detail : undefined;
}
