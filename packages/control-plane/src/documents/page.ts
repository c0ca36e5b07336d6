import type { BillTo, WrittenTax } from "../database/order-tables.ts";
import { type Html, html } from "../http/page-answer.ts";
import type { Issuer } from "../issuers/issuer.ts";
import { formatMoney } from "../money/decimal.ts";
import type { DocumentLine } from "./lines.ts";
import { style } from "./style.ts";

/** What is on the page of an invoice, and on that of a credit note. */
export interface DocumentPage {
  readonly kind: "Invoice" | "Credit note";
  readonly number: string;
  /** What has become of it. */
  readonly state?: { readonly is: "open" | "paid" | "void"; readonly text: string };
  readonly issuer: Issuer;
  readonly customer: BillTo;
  readonly customerId: string;
  /** Beside the parties: dates and references. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly lines: readonly DocumentLine[];
  /** In money, where it has any. */
  readonly money?: Money | undefined;
  /** The last line, where it is not in money. */
  readonly creditsTotal?: string | undefined;
  /** Below the totals. */
  readonly remarks: readonly string[];
}

interface Money {
  readonly currency: string;
  /** Minor units. */
  readonly amount: bigint;
  readonly taxes: readonly WrittenTax[] | null;
}

/** A document as a page to be printed: it needs nothing else. */
export function documentPage(page: DocumentPage): string {
  const { kind, number, issuer, state, lines, money } = page;
  const styles: Html = { html: style };
  const { html: written } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${kind} ${number} - ${issuer.legalName}</title>
<style>${styles}</style>
</head>
<body>
<main>
<header>
<p class="issuer">${issuer.legalName}</p>
<h1><span>${kind}</span> ${number}</h1>
${state && html`<p class="state ${state.is}">${state.text}</p>\n`}</header>
${parties(page)}
${table(lines, money?.currency)}
${totals(page)}
${remarks(page)}${footer(issuer)}</main>
</body>
</html>
`;
  return written;
}

function parties({ issuer, customer, customerId, facts }: DocumentPage): Html {
  const from = [...issuer.addressLines];
  const to = [...customer.addressLines, ...placeOf(customer)];
  return html`<div class="parties">
<section><h2>From</h2><address><strong>${issuer.legalName}</strong>${from.map(onNewLine)}${more("Tax ID", issuer.taxId)}</address></section>
<section><h2>To</h2><address><strong>${customer.name}</strong>${to.map(onNewLine)}${more("Customer", customerId)}${more("Tax ID", customer.taxId)}</address></section>
<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
</div>`;
}

function onNewLine(text: string): Html {
  return html`<br>${text}`;
}

function more(name: string, value: string | null): Html | undefined {
  return value === null ? undefined : html`<span class="more">${name} ${value}</span>`;
}

/** The country in words; what stands in the lines of an address already is not said again. */
function placeOf({ addressLines, city, country }: BillTo): readonly string[] {
  const named = country === null ? null : (regions.of(country) ?? country);
  const said = addressLines.join("\n").toLowerCase();
  return [city, named].flatMap((place) =>
    place === null || said.includes(place.toLowerCase()) ? [] : [place],
  );
}

const regions = new Intl.DisplayNames(["en"], { type: "region" });

function table(lines: readonly DocumentLine[], currency: string | undefined): Html {
  const money =
    currency === undefined
      ? undefined
      : html`<th scope="col">Price</th><th scope="col">Amount (${currency})</th>`;
  return html`<table>
<thead><tr><th scope="col">Description</th><th scope="col">Quantity</th>${money}</tr></thead>
<tbody>
${lines.map((line) => row(line, currency !== undefined))}</tbody>
</table>`;
}

function row({ description, detail, quantity, price, amount }: DocumentLine, hasMoney: boolean): Html {
  const small = detail === undefined ? undefined : html`<small>${detail}</small>`;
  const money = hasMoney ? html`<td>${price}</td><td>${amount}</td>` : undefined;
  return html`<tr><td>${description}${small}</td><td>${quantity}</td>${money}</tr>\n`;
}

function totals({ money, creditsTotal, kind, state }: DocumentPage): Html {
  const name = kind === "Invoice" ? "Total" : "Credited";
  const total =
    money === undefined ? creditsTotal : `${money.currency} ${formatMoney(money.amount, money.currency)}`;
  const beside =
    state?.is === "void"
      ? html`<p class="stamp">Void</p>`
      : money?.taxes?.length
        ? html`<p>Prices include tax.</p>`
        : undefined;
  const taxes = money === undefined ? undefined : taxesOf(money);
  return html`<div class="total">${beside}<dl>${taxes}<dt class="sum">${name}</dt><dd class="sum">${total}</dd></dl></div>`;
}

function taxesOf({ currency, amount, taxes }: Money): Html | undefined {
  if (taxes === null || taxes.length === 0) return undefined;
  const tax = taxes.reduce((sum, { amount: part }) => sum + BigInt(part), 0n);
  const lines = taxes.map(
    (line) => html`<dt>${taxName(line)}</dt><dd>${formatMoney(BigInt(line.amount), currency)}</dd>`,
  );
  return html`<dt>Net</dt><dd>${formatMoney(amount - tax, currency)}</dd>${lines}`;
}

/** `VAT 19 %`. */
function taxName({ name, basisPoints }: Pick<WrittenTax, "name" | "basisPoints">): string {
  return `${name} ${basisPoints / 100}\u00a0%`;
}

function remarks({ remarks: texts }: DocumentPage): Html | undefined {
  return texts.length === 0
    ? undefined
    : html`<div class="after">${texts.map((text) => html`<p>${text}</p>`)}</div>\n`;
}

function footer({ footer: text }: Issuer): Html | undefined {
  return text === null ? undefined : html`<footer>${text}</footer>\n`;
}
