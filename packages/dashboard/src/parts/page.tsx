import { type ReactNode, useEffect } from "react";

/** A page with its heading, which is also what the window is called. */
export function Page({
  title,
  crumbs,
  facts,
  actions,
  children,
}: {
  readonly title: string;
  readonly crumbs?: ReactNode;
  readonly facts?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  useTitle(title);
  return (
    <div className="wrap">
      <div className="head">
        <div>
          {crumbs}
          <h1>{title}</h1>
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
    document.title = `${title} · Creditgate`;
  }, [title]);
}
