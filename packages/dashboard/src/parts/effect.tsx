import type { ReactNode } from "react";
import { formatChange, formatCredits, fromMicro } from "./credits.ts";

/** One amount before and after, in micro-credits. */
export interface EffectRow {
  readonly name: string;
  readonly now: number;
  readonly change: number;
}

/** What a change will do, said before it is made; with figures where there are some. */
export function Effect({
  rows = [],
  children,
}: {
  readonly rows?: readonly EffectRow[];
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <div className="effect">
      <b>What will happen</b>
      {rows.length > 0 && (
        <table>
          <caption className="unseen">Before and after, in credits</caption>
          <thead>
            <tr>
              <th scope="col">
                <span className="unseen">Part</span>
              </th>
              <th scope="col" className="r">
                Now
              </th>
              <th scope="col" className="r">
                Change
              </th>
              <th scope="col" className="r">
                After
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, now, change }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td className="r">{formatCredits(fromMicro(now))}</td>
                <td className="r">{formatChange(fromMicro(change))}</td>
                <td className="r">
                  <b>{formatCredits(fromMicro(now + change))}</b>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {children}
    </div>
  );
}
