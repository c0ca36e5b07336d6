import { invalid } from "../http/validation.ts";

/** The position of a feed: the changes of usage up to it have been sent. */
export interface ChangePosition {
  /** Everything that this snapshot of the database sees has been sent. */
  readonly from: string;
  /** When it was read, in milliseconds since the epoch. */
  readonly readAt: number;
  /**
   * When the PostgreSQL that was read was started, in microseconds. Another one, and one that is started again, may give a number of a
   * transaction that the snapshot has seen to another transaction. Versions before did not write it.
   */
  readonly server?: string;
  /** Set if the changes of the next snapshot did not fit in one answer: the part that has been sent. */
  readonly within?: { readonly to: string; readonly changedIn: string; readonly usageId: string };
}

const number = "\\d{1,19}";
const snapshot = `${number}:${number}:(?:${number}(?:,${number})*)?`;
const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const pattern = new RegExp(
  `^(${snapshot})~(\\d{1,15})(?:~(${number}))?(?:~(${snapshot})~(${number})~(${uuid}))?$`,
);

/** As text for `Last-Event-ID`. */
export function writeChangePosition({ from, readAt, server, within }: ChangePosition): string {
  const start = `${shorten(from)}~${readAt}${server === undefined ? "" : `~${server}`}`;
  return within === undefined
    ? start
    : `${start}~${shorten(within.to)}~${within.changedIn}~${within.usageId}`;
}

/** A 400 for what is no ID of an event of ours. */
export function readChangePosition(text: string): ChangePosition {
  const [, from, readAt, server, to, changedIn, usageId] = pattern.exec(text) ?? [];
  const start = lengthen(from);
  const end = lengthen(to);
  if (start === undefined || (to !== undefined && end === undefined)) {
    const detail = `expected the ID of an event of this feed, received ${JSON.stringify(text.slice(0, 60))}`;
    throw invalid([{ pointer: "Last-Event-ID", detail }]);
  }
  const position = { from: start, readAt: Number(readAt), ...(server === undefined ? {} : { server }) };
  if (end === undefined || changedIn === undefined || usageId === undefined) return position;
  return { ...position, within: { to: end, changedIn, usageId } };
}

/** With hundreds of transactions under way their whole numbers would be too long for a header: what they are above the first is not. */
function shorten(text: string): string {
  const { least, end, open } = partsOf(text);
  return `${least}:${end - least}:${open.map((one) => one - least).join(",")}`;
}

/** `undefined` for what PostgreSQL would refuse. */
function lengthen(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const { least, end: count, open } = partsOf(text);
  const end = least + count;
  const isAscending = open.every(
    (one, index) => one < count && (index === 0 || one > (open[index - 1] ?? 0n)),
  );
  if (least === 0n || end > largest || !isAscending) return undefined;
  return `${least}:${end}:${open.map((one) => one + least).join(",")}`;
}

/** That PostgreSQL takes as the number of a transaction in a snapshot. */
const largest = 2n ** 63n - 1n;

function partsOf(text: string): {
  readonly least: bigint;
  readonly end: bigint;
  readonly open: readonly bigint[];
} {
  const [least = "", end = "", open = ""] = text.split(":");
  return { least: BigInt(least), end: BigInt(end), open: open === "" ? [] : open.split(",").map(BigInt) };
}

/** The transaction from which on there may be changes that a snapshot does not see. */
export function leastOf(snapshot: string): bigint {
  return partsOf(snapshot).least;
}

/** The transaction that will be the next one, as a snapshot knows. */
export function endOf(snapshot: string): bigint {
  return partsOf(snapshot).end;
}
