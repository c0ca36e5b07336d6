import { isCreditgateError } from "@creditgate/client";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { lastKnown } from "../api/client.ts";
import { useOrganizationId } from "../api/query.ts";
import { Failure, OldNote } from "./failure.tsx";
import { Name, named } from "./name.tsx";
import type { Loading } from "./table.tsx";
import { visible } from "./visible.ts";

interface PageProps {
  readonly title: string;
  readonly crumbs?: ReactNode;
  readonly facts?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page with its heading, which is also the title of the window. */
export function Page({ title, crumbs, facts, actions, children }: PageProps) {
  useTitle(title);
  return (
    <div className="wrap">
      <div className="head">
        <div>
          {crumbs}
          <h1>
            <Name>{title}</Name>
          </h1>
          {facts}
        </div>
        {actions !== undefined && <div className="actions">{actions}</div>}
      </div>
      {children}
    </div>
  );
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${visible(title)} · Creditgate`;
  }, [title]);
}

interface SectionProps {
  readonly id: string;
  readonly title: ReactNode;
  /** Beside the heading: buttons, or a figure. */
  readonly end?: ReactNode;
  /** A sentence below the heading. */
  readonly lead?: ReactNode;
  /** Whether a line stands above it. */
  readonly isRuled?: boolean;
  readonly children?: ReactNode;
}

/** A part of a page, with its heading. */
export function Section({ id, title, end, lead, isRuled = false, children }: SectionProps) {
  return (
    <section className={isRuled ? "section rule" : "section"} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {end}
        {lead !== undefined && <p>{lead}</p>}
      </header>
      {children}
    </section>
  );
}

/** What is known of a thing, each with its name. What is absent is left out. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="kv">
      {facts
        .filter(([, value]) => value !== undefined && value !== null && value !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{named(value)}</dd>
          </div>
        ))}
    </dl>
  );
}

/** A text as a machine has it. */
export function RawText({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div className="field">
      <span className="label">{label}</span>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must by keyboard too */}
      <pre className="raw" tabIndex={0}>
        {text}
      </pre>
    </div>
  );
}

const lists = { customers: "Customers", orders: "Orders and invoices", webhooks: "Webhooks" };

/** The way back to the list of a page. */
export function Crumbs({ list, name }: { list: keyof typeof lists; name: string }) {
  const organizationId = useOrganizationId();
  return (
    <nav className="crumbs" aria-label="Breadcrumb">
      <Link to={`/organizations/$organizationId/${list}`} params={{ organizationId }}>
        {lists[list]}
      </Link>
      <span aria-hidden="true">/</span>
      <span aria-current="page">
        <Name>{name}</Name>
      </span>
    </nav>
  );
}

interface RecordPageProps<Subject> {
  readonly query: Loading<Subject>;
  readonly list: keyof typeof lists;
  /** What it is called until it is loaded. */
  readonly name: string;
  /** "Invoice not found". */
  readonly unknown: string;
  readonly failure: string;
  /** The page; `old` is a note if what it shows could not be loaded again. */
  readonly children: (record: Subject, old: ReactNode) => ReactNode;
}

/** The page of one record. Until it is loaded: a bone, an error, or that there is none. */
export function RecordPage<Subject>({
  query,
  list,
  name,
  unknown,
  failure,
  children,
}: RecordPageProps<Subject>) {
  const { error } = query;
  const known = lastKnown(query);
  if (known !== undefined) return children(known, <OldNote query={query} />);
  const isUnknown = isCreditgateError(error) && error.status === 404;
  return (
    <Page title={isUnknown ? unknown : "Loading"} crumbs={<Crumbs list={list} name={name} />}>
      {isUnknown && <p className="quiet">Nothing in this organization has this ID.</p>}
      {error !== null && !isUnknown && (
        <Failure error={error} what={failure} onRetry={() => void query.refetch()} />
      )}
      {error === null && <div className="bone block" />}
    </Page>
  );
}
