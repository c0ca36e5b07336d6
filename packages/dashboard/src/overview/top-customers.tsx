import type { UsageSeriesAnswer } from "@creditgate/admin";
import { Link } from "@tanstack/react-router";
import { useOrganizationId } from "../api/account.ts";
import { formatCredits, formatPercent } from "../parts/amounts.ts";
import { Table } from "../parts/table.tsx";

/** The customers that used most. */
export function TopCustomers({
  usage,
  label,
}: {
  readonly usage: UsageSeriesAnswer;
  /** The period: "30 d". */
  readonly label: string;
}) {
  const organizationId = useOrganizationId();
  const { series, total, creditCurrencyKey } = usage;
  if (series.length === 0) return <p className="quiet small">Nothing was used in this time.</p>;
  return (
    <Table
      rows={series}
      idOf={({ id }) => id}
      columns={(column) => [
        column("Customer", { isName: true }, ({ id, name }) => (
          <Link
            to="/organizations/$organizationId/customers/$customerId"
            params={{ organizationId, customerId: id }}
            search={{ wallet: creditCurrencyKey }}
          >
            {name}
          </Link>
        )),
        column(`Credits, ${label}`, { isNumber: true }, ({ credits }) => formatCredits(credits)),
        column("Share", { isNumber: true }, ({ credits }) =>
          total.credits === 0 ? "" : formatPercent(credits / total.credits),
        ),
      ]}
    />
  );
}
