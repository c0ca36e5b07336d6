import type { Denial } from "../denial.ts";
import { escaped } from "./escaped.ts";

/** What a person reads instead of `application/problem+json`. It loads nothing and runs nothing. */
export function denialPage(denial: Denial): string {
  const { status, title, required, available, currency, actionUrl, retryAfter } = denial;
  const lines = [`<h1>${escaped(title)}</h1>`];
  if (available !== undefined) {
    const unit = escaped(currency.replace(/[_-]+/g, " "));
    lines.push(
      `<p>This needs <strong>${amount(required)}</strong> ${unit}; <strong>${amount(Math.max(0, available))}</strong> can be spent now.</p>`,
    );
  }
  lines.push(`<p>${escaped(advice(denial))}</p>`);
  if (actionUrl !== undefined) lines.push(`<p><a href="${escaped(actionUrl)}">Continue</a></p>`);
  if (retryAfter !== undefined) lines.push(`<p>Try again in ${retryAfter} s.</p>`);
  return page(`${status} ${title}`, lines.join("\n"));
}

function advice({ code, retryable, recommendedAction, budget }: Denial): string {
  switch (recommendedAction) {
    case "upgrade":
      return "A larger plan would cover this.";
    case "create_order":
      return "Choose a plan to go on.";
    case "complete_payment":
      return "A payment is open; once it is complete you can go on.";
  }
  switch (code) {
    case "customer_unresolved":
      return "Please sign in.";
    case "insufficient_credits":
      return retryable
        ? "Other work of yours is still running; try again when it is done."
        : "Top up to go on.";
    case "budget_exceeded":
      return budget?.resetsAt === undefined
        ? "Its limit has been reached. Nothing has been charged."
        : `It begins anew at ${budget.resetsAt}. Nothing has been charged.`;
    case "wallet_missing":
    case "customer_unknown":
      return "There is no wallet to pay from yet.";
    default:
      return "This is not about your credits. Nothing has been charged.";
  }
}

function amount(credits: number): string {
  return credits.toLocaleString("en", { maximumFractionDigits: 6 });
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>
:root { color-scheme: light dark; font: 1.125rem/1.6 system-ui, sans-serif; }
body { max-width: 32rem; margin: 20vh auto; padding: 0 1.5rem; }
</style>
${body}
`;
}
