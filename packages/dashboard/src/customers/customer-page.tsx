import { isCreditgateError } from "@creditgate/client";
import type { AdminCustomer, AdminWallet } from "@creditgate/client/admin";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Button } from "react-aria-components";
import { useMay, useOrganizationId } from "../api/account.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { Empty } from "../parts/empty.tsx";
import { Failure } from "../parts/failure.tsx";
import { Icon } from "../parts/icon.tsx";
import { Page } from "../parts/page.tsx";
import { Day } from "../parts/time.tsx";
import { LimitsDialog } from "./limits-dialog.tsx";
import { customerQuery } from "./queries.ts";
import { StatementTable } from "./statement-table.tsx";
import { TopUpDialog } from "./top-up-dialog.tsx";
import { WalletDialog } from "./wallet-dialog.tsx";
import { WalletPanel } from "./wallet-panel.tsx";

const route = "/shell/organizations/$organizationId/customers/$customerId";

export function CustomerPage(): ReactNode {
  const organizationId = useOrganizationId();
  const { customerId } = useParams({ from: route });
  const customer = useQuery(customerQuery(organizationId, customerId));
  if (customer.isSuccess) return <Loaded key={customerId} customer={customer.data} />;
  const isUnknown = isCreditgateError(customer.error) && customer.error.status === 404;
  return (
    <Page title={isUnknown ? "No such customer" : customerId} crumbs={<Crumbs name={customerId} />}>
      {isUnknown && <p className="quiet">The organization has no customer with this ID.</p>}
      {customer.isError && !isUnknown && (
        <Failure
          error={customer.error}
          what="The customer could not be loaded."
          onRetry={() => void customer.refetch()}
        />
      )}
      {customer.isPending && (
        <div className="wallets">
          <div className="bone block" />
          <div className="bone block" />
        </div>
      )}
    </Page>
  );
}

function Crumbs({ name }: { readonly name: string }): ReactNode {
  const organizationId = useOrganizationId();
  return (
    <nav className="crumbs" aria-label="Breadcrumb">
      <Link to="/organizations/$organizationId/customers" params={{ organizationId }}>
        Customers
      </Link>
      <span aria-hidden="true">/</span>
      <span aria-current="page">{name}</span>
    </nav>
  );
}

type Open =
  | { readonly dialog: "top-up" | "wallet" }
  | { readonly dialog: "limits"; readonly wallet: AdminWallet };

function Loaded({ customer }: { readonly customer: AdminCustomer }): ReactNode {
  const mayChange = useMay("money");
  const [open, setOpen] = useState<Open>();
  const search = useSearch({ from: route });
  const { wallets, name } = customer;
  const chosen = wallets.find((one) => one.credit_currency_key === search.wallet) ?? wallets[0];
  const canTopUp = wallets.some(({ kind }) => kind === "prepaid");
  const close = () => setOpen(undefined);
  return (
    <Page
      title={name}
      crumbs={<Crumbs name={name} />}
      facts={<Facts customer={customer} />}
      actions={
        mayChange && (
          <>
            <Button
              className={canTopUp ? "btn" : "btn primary"}
              onPress={() => setOpen({ dialog: "wallet" })}
            >
              New wallet
            </Button>
            {canTopUp && (
              <Button className="btn primary" onPress={() => setOpen({ dialog: "top-up" })}>
                <Icon name="plus" />
                Top up
              </Button>
            )}
          </>
        )
      }
    >
      {wallets.length === 0 ? (
        <Empty title="No wallet yet">
          <p>
            Without a wallet every request of this customer is denied. A wallet holds credits of one currency.
          </p>
        </Empty>
      ) : (
        <div className="wallets">
          {wallets.map((wallet) => (
            <WalletPanel
              key={wallet.credit_currency_key}
              wallet={wallet}
              onSetLimits={() => setOpen({ dialog: "limits", wallet })}
            />
          ))}
        </div>
      )}
      {wallets.length > 1 && chosen !== undefined && <WalletTabs wallets={wallets} chosen={chosen} />}
      {chosen !== undefined && <StatementTable key={chosen.credit_currency_key} wallet={chosen} />}
      {open?.dialog === "top-up" && (
        <TopUpDialog customer={customer} initial={chosen?.credit_currency_key} onClose={close} />
      )}
      {open?.dialog === "wallet" && <WalletDialog customer={customer} onClose={close} />}
      {open?.dialog === "limits" && <LimitsDialog customer={customer} wallet={open.wallet} onClose={close} />}
    </Page>
  );
}

function Facts({ customer }: { readonly customer: AdminCustomer }): ReactNode {
  const { externalId, email, city, country, createdAt, erasedAt } = customer;
  const place = [city, country].filter((part) => part !== null).join(", ");
  return (
    <div className="facts">
      <CopyButton className="copy" text={externalId} label={`Copy the ID ${externalId}`}>
        {externalId}
      </CopyButton>
      {email !== null && <span>{email}</span>}
      {place !== "" && <span>{place}</span>}
      <span>
        Since <Day at={createdAt} />
      </span>
      {erasedAt !== null && (
        <span>
          Erased <Day at={erasedAt} />
        </span>
      )}
    </div>
  );
}

/** Whose statement is shown. */
function WalletTabs({
  wallets,
  chosen,
}: {
  readonly wallets: readonly AdminWallet[];
  readonly chosen: AdminWallet;
}): ReactNode {
  const navigate = useNavigate({ from: "/organizations/$organizationId/customers/$customerId" });
  return (
    <nav className="tabs" aria-label="Statements">
      {wallets.map(({ credit_currency_key: currency }) => (
        <button
          key={currency}
          type="button"
          className="mono"
          aria-current={currency === chosen.credit_currency_key ? "true" : undefined}
          onClick={() => void navigate({ search: { wallet: currency }, replace: true })}
        >
          {currency}
        </button>
      ))}
    </nav>
  );
}
