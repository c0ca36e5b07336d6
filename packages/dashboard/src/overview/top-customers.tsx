import type { UsageSeriesAnswer } from "@creditgate/client/admin";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useOrganizationId } from "../api/account.ts";
import { formatCredits, formatPercent } from "../parts/credits.ts";

/** The customers that used most. */
export function TopCustomers({
  usage,
  label,
}: {
  readonly usage: UsageSeriesAnswer;
  /** The period: "30 d". */
  readonly label: string;
}): ReactNode {
  const organizationId = useOrganizationId();
  const { series, total, credit_currency_key } = usage;
  if (series.length === 0) return <p className="quiet small">Nothing was used in this time.</p>;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Customer</th>
          <th scope="col" className="r">
            Credits, {label}
          </th>
          <th scope="col" className="r">
            Share
          </th>
        </tr>
      </thead>
      <tbody>
        {series.map(({ id, name, credits }) => (
          <tr key={id}>
            <th scope="row">
              <Link
                to="/organizations/$organizationId/customers/$customerId"
                params={{ organizationId, customerId: id }}
                search={{ wallet: credit_currency_key }}
              >
                {name}
              </Link>
            </th>
            <td className="r">{formatCredits(credits)}</td>
            <td className="r">{total.credits === 0 ? "" : formatPercent(credits / total.credits)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
