import type { AdminCustomer, AdminInvoice, AdminOrder } from "@creditgate/admin";
import { Link } from "@tanstack/react-router";
import { useAnswer, useMay } from "../api/query.ts";
import { formatCredits } from "../parts/amounts.ts";
import { Failure } from "../parts/failure.tsx";
import { DialogButton } from "../parts/form-dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { InvoiceLink, OrderLink } from "../parts/links.tsx";
import { Section } from "../parts/page.tsx";
import { Day } from "../parts/time.tsx";
import { MarkPaidDialog, VoidDialog } from "./invoice-dialogs.tsx";
import { invoicesQuery, ordersQuery } from "./queries.ts";
import { InvoiceBadge, OrderBadge } from "./status-badge.tsx";
import { askedFor, daysSince, formatPeriod } from "./words.ts";

/** How many stand beside the statement. */
const newest = 6;

/** The newest hundred invoices and orders of a customer. */
export function useCustomerBooks(customerId: string) {
  const part = { customer: customerId, limit: 100 };
  return { invoices: useAnswer(invoicesQuery, part), orders: useAnswer(ordersQuery, part) };
}

/** The orders and invoices of a customer, the newest first, with what can be done to those that are open. */
export function CustomerBooks({ customer }: { readonly customer: AdminCustomer }) {
  const { invoices, orders } = useCustomerBooks(customer.externalId);
  const failed = invoices.error ?? orders.error;
  const items = timelineOf(invoices.data?.invoices ?? [], orders.data?.orders ?? []);
  const isLoaded = invoices.isSuccess && orders.isSuccess;
  return (
    <Section
      id="books"
      title="Orders and invoices"
      isRuled
      end={
        items.length > newest && (
          <Link className="end link" to="." search={(before) => ({ ...before, show: "orders" })}>
            All {items.length}
            {(invoices.data?.next ?? orders.data?.next ?? null) === null ? "" : "+"}
          </Link>
        )
      }
    >
      {failed !== null && <Failure error={failed} what="Orders and invoices could not be loaded." />}
      {!isLoaded && failed === null && <div className="bone block" />}
      {isLoaded && items.length === 0 && <p className="quiet small">No orders or invoices yet.</p>}
      <ol className="timeline">
        {items
          .slice(0, newest)
          .map((item) =>
            item.invoice !== undefined ? (
              <InvoiceItem key={item.invoice.invoiceId} invoice={item.invoice} />
            ) : (
              <OrderItem key={item.order.orderId} order={item.order} />
            ),
          )}
      </ol>
    </Section>
  );
}

type Item =
  | { readonly at: string; readonly invoice: AdminInvoice; readonly order?: undefined }
  | { readonly at: string; readonly invoice?: undefined; readonly order: AdminOrder };

/** An invoice stands above the order that it was made with. */
function timelineOf(invoices: readonly AdminInvoice[], orders: readonly AdminOrder[]): readonly Item[] {
  const items: Item[] = [
    ...invoices.map((invoice) => ({ at: invoice.createdAt, invoice })),
    ...orders.map((order) => ({ at: order.createdAt, order })),
  ];
  return items.sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
}

function InvoiceItem({ invoice }: { readonly invoice: AdminInvoice }) {
  const isOpen = useMay("money") && invoice.status === "open";
  const { status, createdAt, paidAt, voidedAt, periodStart, periodEnd } = invoice;
  return (
    <li>
      <Icon name="invoice" />
      <div className="row">
        <b>
          <InvoiceLink invoice={invoice} />
        </b>
        <InvoiceBadge status={status} />
        <span>{askedFor(invoice)}</span>
      </div>
      <span className="quiet">
        {periodStart !== null && periodEnd !== null && `Period ${formatPeriod(periodStart, periodEnd)}, `}
        {paidAt !== null ? (
          <>
            paid <Day at={paidAt} />
          </>
        ) : voidedAt !== null ? (
          <>
            voided <Day at={voidedAt} />
          </>
        ) : (
          <>
            issued <Day at={createdAt} />
          </>
        )}
      </span>
      <div className="acts">
        <DialogButton text="Mark as paid" look="sm" unseen={invoice.number} isShown={isOpen}>
          <MarkPaidDialog invoice={invoice} />
        </DialogButton>
        <DialogButton text="Void" look="sm" unseen={invoice.number} isShown={isOpen}>
          <VoidDialog invoice={invoice} />
        </DialogButton>
      </div>
    </li>
  );
}

function OrderItem({ order }: { readonly order: AdminOrder }) {
  const { status, activatedAt } = order;
  return (
    <li>
      <Icon name="order" />
      <div className="row">
        <b>
          <OrderLink orderId={order.orderId}>{order.orderName}</OrderLink>
        </b>
        <OrderBadge status={status} />
        <Day at={order.createdAt} />
      </div>
      <span className="quiet">
        {status === "pending" && "Starts when its invoice is paid"}
        {status === "active" && activatedAt !== null && (
          <>
            Active since <Day at={activatedAt} />
          </>
        )}
        {status === "superseded" && "Replaced by another order"}
        {status === "cancelled" && "Never started"}
      </span>
    </li>
  );
}

/** Says which invoice has been open for longest, and what waits for it; absent where nothing is due. */
export function PaymentDue({ customer }: { readonly customer: AdminCustomer }) {
  const { invoices } = useCustomerBooks(customer.externalId);
  const mayChange = useMay("money");
  const open = (invoices.data?.invoices ?? []).filter(({ status }) => status === "open");
  const oldest = open.at(-1);
  const pending = customer.wallets.filter((wallet) => wallet.pending > 0);
  return (
    <>
      {oldest !== undefined && (
        <div className="note warn">
          <Icon name="clock" />
          <span className="grow-text">
            <b>Payment due.</b> <InvoiceLink invoice={oldest} /> ({askedFor(oldest)}) has been open{" "}
            {daysSince(oldest.createdAt)}
            {open.length > 1 && `, and ${open.length - 1} other${open.length > 2 ? "s" : ""} since then`}.
            {pending.length > 0 &&
              ` ${pending.map((wallet) => `${formatCredits(wallet.pending)} ${wallet.creditCurrencyKey}`).join(" and ")} await payment.`}
          </span>
          {/* Another invoice is another button: a dialog never turns to it. */}
          <DialogButton key={oldest.invoiceId} text="Mark as paid" look="sm" isShown={mayChange}>
            <MarkPaidDialog invoice={oldest} />
          </DialogButton>
        </div>
      )}
    </>
  );
}
