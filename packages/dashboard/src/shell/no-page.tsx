import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { TextButton } from "../parts/button.tsx";
import { useTitle } from "../parts/page.tsx";

/** In place of a page that cannot be shown: a part of it could not be loaded, or it has met what was not foreseen. */
export function ErrorPage({ error }: { readonly error: unknown }) {
  useTitle("This page cannot be shown");
  // For those who look for the cause.
  useEffect(() => console.error(error), [error]);
  return (
    <div className="empty" role="alert">
      <h1>This page cannot be shown</h1>
      <p>
        What you did before is done. Load the page again. If it comes back, report to those who run the
        control plane what stands here:{" "}
        <code className="breaks">{error instanceof Error ? error.message : String(error)}</code>
      </p>
      <div className="actions">
        <TextButton text="Load it again" onPress={() => location.reload()} />
      </div>
    </div>
  );
}

export function MissingPage() {
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
