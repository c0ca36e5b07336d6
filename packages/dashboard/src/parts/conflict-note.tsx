import type { ReactNode } from "react";
import { Button } from "react-aria-components";
import type { Conflict } from "../api/edit.ts";
import { actorName } from "./actor.ts";
import { Ago } from "./ago.tsx";
import { changesOf } from "./changes.ts";
import { Icon } from "./icon.tsx";

/** Says who has changed what while a form was open. The form keeps what was written: it can be saved again, or given up. */
export function ConflictNote({
  conflict: { edits, seen, current, labels, takeTheirs },
  what,
}: {
  readonly conflict: Conflict;
  readonly what: string;
}): ReactNode {
  const changes = changesOf(seen, current);
  return (
    <div className="note warn" role="alert">
      <Icon name="alert" />
      <div>
        <p>
          <b>{what}</b> Someone else changed this while the form was open.
        </p>
        <ul className="plain">
          {edits.map(({ by, at, fields }) =>
            fields.map((field) => {
              const { before, after } = changes.find((one) => one.field === field) ?? {};
              return (
                <li key={field}>
                  <b>{labels[field] ?? field}</b>: {before ?? "none"} → {after ?? "none"}{" "}
                  <span className="quiet">
                    by {by === null ? "someone" : actorName(by)}
                    {at !== null && (
                      <>
                        , <Ago at={at} />
                      </>
                    )}
                  </span>
                </li>
              );
            }),
          )}
        </ul>
        <p>What you changed is still in the form: save it again to apply it to this.</p>
      </div>
      <Button className="btn sm" onPress={takeTheirs}>
        Take theirs
      </Button>
    </div>
  );
}
