import type { ReactNode } from "react";
import { Button } from "react-aria-components";

/** Leads through a list part by part. Absent where the list has one part. */
export function Pager({
  cursor,
  next,
  onMove,
}: {
  /** Where the part that is shown begins; absent for the first. */
  readonly cursor: string | undefined;
  /** Where the next one begins; absent where there is none. */
  readonly next: string | null | undefined;
  /** Called with the beginning of another part, and with nothing for the first. */
  readonly onMove: (cursor: string | undefined) => void;
}): ReactNode {
  const isFirst = cursor === undefined;
  const isLast = next === undefined || next === null;
  if (isFirst && isLast) return null;
  return (
    <div className="pager">
      <div className="end">
        <Button className="btn sm" isDisabled={isFirst} onPress={() => onMove(undefined)}>
          First page
        </Button>
        <Button className="btn sm" isDisabled={isLast} onPress={() => isLast || onMove(next)}>
          Next
        </Button>
      </div>
    </div>
  );
}
