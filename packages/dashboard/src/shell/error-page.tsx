import { type ReactNode, useEffect } from "react";
import { Button } from "react-aria-components";
import { useTitle } from "../parts/page.tsx";

/** In place of a page that cannot be shown: a part of it could not be loaded, or it has met what was not foreseen. */
export function ErrorPage({ error }: { readonly error: unknown }): ReactNode {
  useTitle("This page cannot be shown");
  // For those who look for the cause.
  useEffect(() => console.error(error), [error]);
  return (
    <div className="empty" role="alert">
      <h1>This page cannot be shown</h1>
      <p>
        What you did before is done. Load the page again. If it comes back, tell those who run the control
        plane what stands here:{" "}
        <code className="breaks">{error instanceof Error ? error.message : String(error)}</code>
      </p>
      <div className="actions">
        <Button className="btn" onPress={() => location.reload()}>
          Load it again
        </Button>
      </div>
    </div>
  );
}
