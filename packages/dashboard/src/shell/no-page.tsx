import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { TextButton } from "../parts/button.tsx";
import { useTitle } from "../parts/page.tsx";

/** In place of a page that cannot be shown: a part of it could not be loaded, or it has met what was not foreseen. */
export function ErrorPage({ error }: { readonly error: unknown }) {
  useTitle("This page could not be displayed");
  // For those who look for the cause.
  useEffect(() => console.error(error), [error]);
  return (
    <div className="empty" role="alert">
      <h1>This page could not be displayed</h1>
      <p>
        Your earlier changes are saved. Reload the page. If the error returns, send this message to your
        administrator:{" "}
        <code className="breaks">{error instanceof Error ? error.message : String(error)}</code>
      </p>
      <div className="actions">
        <TextButton text="Reload" onPress={() => location.reload()} />
      </div>
    </div>
  );
}

export function MissingPage() {
  useTitle("Not found");
  return (
    <main className="empty">
      <h1>Page not found</h1>
      <p>The address may be mistyped, or from an older version.</p>
      <div className="actions">
        <Link className="btn" to="/">
          Go to the dashboard
        </Link>
      </div>
    </main>
  );
}
