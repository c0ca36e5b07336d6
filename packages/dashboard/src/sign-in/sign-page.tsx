import type { FormEvent, ReactNode } from "react";
import { Icon, Mark } from "../parts/icon.tsx";
import { useTitle } from "../parts/page.tsx";
import { ThemeButton } from "../parts/theme-button.tsx";

interface SignPageProps {
  readonly title: string;
  readonly words: string;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** A page for one who has not signed in yet. */
export function SignPage({ title, words, onSubmit, children }: SignPageProps) {
  useTitle(title);
  function submit(event: FormEvent): void {
    event.preventDefault();
    onSubmit();
  }
  return (
    <div className="sign">
      <main>
        <form onSubmit={submit} noValidate>
          <Mark />
          <hgroup>
            <h1>{title}</h1>
            <p>{words}</p>
          </hgroup>
          {children}
        </form>
      </main>
      <footer>
        <span>Creditgate</span>
        <ThemeButton />
      </footer>
    </div>
  );
}

/** Why it was refused. */
export function Refusal({ children }: { readonly children: string }) {
  return (
    <p className="note bad" role="alert">
      <Icon name="alert" />
      <span className="grow-text">{children}</span>
    </p>
  );
}
