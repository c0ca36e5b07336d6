import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTitle } from "../parts/page.tsx";

export function MissingPage(): ReactNode {
  useTitle("Not found");
  return (
    <main className="empty">
      <h1>There is no such page</h1>
      <p>The address may be of an older version, or mistyped.</p>
      <div className="actions">
        <Link className="btn" to="/">
          Go to the start
        </Link>
      </div>
    </main>
  );
}
