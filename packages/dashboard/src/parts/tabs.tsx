import { Link } from "@tanstack/react-router";

/** What the addresses of pages with parts say in `show`. */
type Show = "budgets" | "orders" | "credit-notes" | "usage" | "voice" | "credits";

/** Parts of a page, each with an address of its own: the parameter `show`, which the first one leaves out. */
export function Tabs({
  label,
  shown,
  kept = {},
  tabs,
}: {
  readonly label: string;
  readonly shown: Show | undefined;
  /** What of the address is the same in all parts. */
  readonly kept?: object;
  readonly tabs: readonly {
    readonly show: Show | undefined;
    readonly name: string;
    readonly count?: string | undefined;
  }[];
}) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ show, name, count }) => (
        <Link
          key={name}
          to="."
          search={show === undefined ? kept : { ...kept, show }}
          replace
          resetScroll={false}
          activeOptions={{ exact: true }}
          aria-current={show === shown ? "true" : undefined}
        >
          {name}
          {count !== undefined && <small> {count}</small>}
        </Link>
      ))}
    </nav>
  );
}
