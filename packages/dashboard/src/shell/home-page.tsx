import { useMutation, useQuery } from "@tanstack/react-query";
import { Navigate, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "react-aria-components";
import { admin, queryClient } from "../api/client.ts";
import { accountQuery, organizationsQuery } from "../api/query.ts";
import { Failure } from "../parts/failure.tsx";
import { Field } from "../parts/field.tsx";
import { SignPage } from "../sign-in/sign-page.tsx";
import { setupQuery } from "../start/queries.ts";
import { SignOutButton } from "./shell.tsx";

/** Leads to the organisation; where there is none, an operator makes the first. */
export function HomePage() {
  const { data: account } = useQuery(accountQuery);
  const organizations = useQuery(organizationsQuery);
  if (organizations.isPending) return busy;
  if (organizations.isError) {
    return (
      <main className="wrap">
        <Failure
          error={organizations.error}
          what="Your organizations could not be loaded."
          onRetry={() => void organizations.refetch()}
        />
      </main>
    );
  }
  const [first] = organizations.data;
  if (first !== undefined) return <Beginning organizationId={first.organizationId} />;
  if (account?.operator) return <FirstOrganization />;
  return (
    <SignPage title="No organization yet" words={account?.user?.email ?? ""} onSubmit={() => undefined}>
      <p>You are not a member of an organization. Ask an owner to invite you.</p>
      <SignOutButton />
    </SignPage>
  );
}

const busy = <div className="sign" aria-busy="true" />;

/** An organisation that has nothing begins with its first steps. */
function Beginning({ organizationId }: { readonly organizationId: string }) {
  const setup = useQuery(setupQuery(organizationId));
  if (setup.isPending) return busy;
  const to = setup.data?.isEmpty
    ? "/organizations/$organizationId/start"
    : "/organizations/$organizationId/overview";
  return <Navigate to={to} params={{ organizationId }} replace />;
}

function FirstOrganization() {
  const [name, setName] = useState("");
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: () => admin.organizations.create({ name: name.trim() }),
    async onSuccess({ organizationId }) {
      await queryClient.invalidateQueries({ queryKey: organizationsQuery.queryKey });
      await navigate({ to: "/organizations/$organizationId/start", params: { organizationId } });
    },
  });
  return (
    <SignPage
      title="Create your organization"
      words="It has its own customers, agents, wallets and API keys."
      onSubmit={() => {
        if (name.trim() !== "" && !create.isPending) create.mutate();
      }}
    >
      <Field
        label="Organization name"
        name="organization"
        value={name}
        onChange={setName}
        maxLength={200}
        isLarge
        autoFocus
      />
      {create.isError && <Failure error={create.error} what="The organization was not created." />}
      <Button
        className="btn primary lg wide-always"
        type="submit"
        isDisabled={name.trim() === ""}
        isPending={create.isPending}
      >
        Create organization
      </Button>
      <SignOutButton />
    </SignPage>
  );
}
