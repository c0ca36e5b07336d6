"use client";

import {
  createContext,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from "react";
import type { CreditsSnapshot } from "./credits-snapshot.ts";
import { CreditsStore } from "./credits-store.ts";
import type { CreditsView } from "./credits-view.ts";
import type { Denial } from "./denial.ts";

/** What {@link CreditsProvider} is given, once: another customer needs another `key`. */
export interface CreditsProviderProps {
  /** Where `creditsRoute()` answers. @default "/api/credits" */
  readonly url?: string;
  /** What `readCredits()` has read on the server, so that the first page shows it. @default asked for by the page */
  readonly initial?: CreditsSnapshot | undefined;
  /** Sends all requests, also those of `useCredits().fetch`. @default the global one */
  readonly fetch?: typeof globalThis.fetch;
  readonly children?: ReactNode;
}

/** The wallet of the signed-in customer, and what changes it. */
export interface Credits extends CreditsView {
  /**
   * The global `fetch`, for requests that cost credits: the balance is read again when the answer has ended, and the
   * denial of a 402 is `denial` until a request is let in.
   */
  readonly fetch: typeof globalThis.fetch;
  /**
   * The balance has changed, as after a payment or a server action: reads it again, in other tabs too. Resolves when it has been
   * read, or could not be. Never rejects.
   */
  readonly invalidate: () => Promise<void>;
  /** Shows a denial that came otherwise, such as that of a server action; `undefined` dismisses it. */
  readonly setDenial: (denial: Denial | undefined) => void;
}

const Context = createContext<CreditsStore | undefined>(undefined);

/** Keeps the balance of the signed-in customer for all below it. */
export function CreditsProvider({
  url = "/api/credits",
  initial,
  fetch,
  children,
}: CreditsProviderProps): ReactElement {
  const [store] = useState(() => new CreditsStore({ url, initial, fetch }));
  useEffect(() => store.start(), [store]);
  return <Context.Provider value={store}>{children}</Context.Provider>;
}

/** The credits of the signed-in customer. Throws outside of a {@link CreditsProvider}. */
export function useCredits(): Credits {
  const store = useContext(Context);
  if (store === undefined) throw new Error("useCredits: expected a <CreditsProvider> above, received none");
  const view = useSyncExternalStore(store.subscribe, store.view, () => store.first);
  const { fetch, invalidate, setDenial } = store;
  return { ...view, fetch, invalidate, setDenial };
}
