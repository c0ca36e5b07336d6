import type { Subjects } from "./subjects.ts";

/** A page of the dashboard, and what is there once its content shows. */
export interface PagePath {
  readonly name: string;
  readonly path: (subjects: Subjects) => string;
  /** A selector of what comes last. */
  readonly content: string;
}

const row = "main tbody tr";

/** Every page of an organisation, and the heavier ways to look at some. */
export const paths: readonly PagePath[] = [
  { name: "overview", path: () => "/overview", content: "main .figures dd.n" },
  { name: "overview, by customer", path: () => "/overview?by=customer", content: "main .figures dd.n" },
  { name: "customers", path: () => "/customers", content: row },
  { name: "customers, search", path: () => "/customers?search=greta", content: row },
  { name: "customer", path: ({ customer }) => `/customers/${customer}`, content: row },
  { name: "customer, usage", path: ({ customer }) => `/customers/${customer}?show=usage`, content: row },
  { name: "invoices", path: () => "/orders", content: row },
  { name: "invoices, open", path: () => "/orders?status=open", content: row },
  { name: "orders", path: () => "/orders?show=orders", content: row },
  { name: "credit notes", path: () => "/orders?show=credit-notes", content: row },
  { name: "order", path: ({ order }) => `/orders/${order}`, content: row },
  { name: "invoice", path: ({ invoice }) => `/orders/invoices/${invoice}`, content: "main h1" },
  { name: "books", path: () => "/books", content: "main h1" },
  { name: "books, of credits", path: () => "/books?show=credits", content: "main h1" },
  { name: "agents and prices", path: () => "/agents", content: row },
  // Of days, which stand still: what is live has a connection that stays.
  { name: "usage", path: () => "/usage?from=2020-01-01", content: row },
  { name: "usage, by customer", path: () => "/usage?by=customer", content: row },
  { name: "audit log", path: () => "/audit", content: row },
  { name: "gates", path: () => "/gates", content: "main h1" },
  { name: "API keys", path: () => "/keys", content: row },
  { name: "webhooks", path: () => "/webhooks", content: row },
  { name: "webhook", path: ({ endpoint }) => `/webhooks/${endpoint}`, content: row },
  { name: "users and roles", path: () => "/people", content: row },
  { name: "your account", path: () => "/account", content: "main h1" },
];
