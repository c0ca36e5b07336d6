import type { ReactNode } from "react";
import { formatChange, formatCredits, fromMicro } from "./amounts.ts";
import { Failure } from "./failure.tsx";
import { Table } from "./table.tsx";

/** One amount before and after, in micro-credits. */
export interface EffectRow {
  readonly name: string;
  readonly now: number;
  readonly change: number;
}

/** The effect of a change, shown before it is made. */
export function Effect({
  rows = [],
  children,
}: {
  readonly rows?: readonly EffectRow[];
  readonly children?: ReactNode;
}) {
  return (
    <div className="effect">
      <b>What will happen</b>
      {rows.length > 0 && (
        <Table
          caption="Before and after, in credits"
          rows={rows}
          idOf={({ name }) => name}
          columns={(column) => [
            column("Part", { isUnseen: true, isName: true }, ({ name }) => name),
            column("Now", { isNumber: true }, ({ now }) => formatCredits(fromMicro(now))),
            column("Change", { isNumber: true }, ({ change }) => formatChange(fromMicro(change))),
            column("After", { isNumber: true }, ({ now, change }) => (
              <b>{formatCredits(fromMicro(now + change))}</b>
            )),
          ]}
        />
      )}
      {children}
    </div>
  );
}

/** The place of an effect that is not loaded yet, or cannot be. */
export function EffectPlace({ error, isLoaded }: { error: Error | null; isLoaded: boolean }) {
  if (error !== null) return <Failure error={error} what="The effect could not be loaded." />;
  return !isLoaded && <div className="bone block" />;
}
