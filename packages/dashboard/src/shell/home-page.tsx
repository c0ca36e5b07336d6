import { useMutation, useQuery } from "@tanstack/react-query";
import { Navigate, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { Button } from "react-aria-components";
import { admin, queryClient } from "../api/client.ts";
import { accountQuery, organizationsQuery } from "../api/query.ts";
import { Failure } from "../parts/failure.tsx";
import { Field } from "../parts/field.tsx";
import { Page } from "../parts/page.tsx";
import { setupQuery } from "../start/queries.ts";

/** Leads to the organisation; where there is none, an operator makes the first. */
export function HomePage() {
  const { data: account } = useQuery(accountQuery);
  const organizations = useQuery(organizationsQuery);
  if (organizations.isPending) return <div className="wrap" aria-busy="true" />;
  if (organizations.isError) {
    return (
      <div className="wrap">
        <Failure
          error={organizations.error}
          what="Your organizations could not be loaded."
          onRetry={() => void organizations.refetch()}
        />
      </div>
    );
  }
  const [first] = organizations.data;
  if (first !== undefined) return <Beginning organizationId={first.organizationId} />;
  if (account?.operator) return <FirstOrganization />;
  return (
    <Page title="No organization yet">
      <p className="quiet">
        You have an account, and are in no organization. An owner of one can invite you.
      </p>
    </Page>
  );
}

/** An organisation that has nothing begins with its first steps. */
function Beginning({ organizationId }: { readonly organizationId: string }) {
  const setup = useQuery(setupQuery(organizationId));
  if (setup.isPending) return <div className="wrap" aria-busy="true" />;
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
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (name.trim() !== "" && !create.isPending) create.mutate();
  }
  return (
    <Page title="What is your organization called?">
      <form className="section narrow-form" onSubmit={submit} noValidate>
        <Field
          label="Name"
          name="organization"
          value={name}
          onChange={setName}
          maxLength={200}
          isLarge
          autoFocus
          hint="Its API keys see its customers, agents and wallets, and no others."
        />
        {create.isError && <Failure error={create.error} what="It was not made." />}
        <Button
          className="btn primary lg"
          type="submit"
          isDisabled={name.trim() === ""}
          isPending={create.isPending}
        >
          Create the organization
        </Button>
      </form>
    </Page>
  );
}
