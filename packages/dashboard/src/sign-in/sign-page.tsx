import type { FormEvent, ReactNode } from "react";
import { ThemeButton } from "../parts/button.tsx";
import { Icon, Mark } from "../parts/icon.tsx";
import { useTitle } from "../parts/page.tsx";

interface SignPageProps {
  readonly title: string;
  readonly words: string;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** A page for one who has not signed in yet. */
export function SignPage({ title, ...form }: SignPageProps) {
  useTitle(title);
  return (
    <div className="sign">
      <main>
        <SignForm {...form} title={<h1>{title}</h1>} />
      </main>
      <footer>
        <span>Creditgate</span>
        <ThemeButton />
      </footer>
    </div>
  );
}

export function SignForm({
  title,
  words,
  onSubmit,
  children,
}: Omit<SignPageProps, "title"> & { readonly title: ReactNode }) {
  function submit(event: FormEvent): void {
    event.preventDefault();
    onSubmit();
  }
  return (
    <form onSubmit={submit} noValidate>
      <Mark />
      <hgroup>
        {title}
        <p>{words}</p>
      </hgroup>
      {children}
    </form>
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
