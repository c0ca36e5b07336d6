import { CreditgateError, type KnownNames, type NameWords, unknownName } from "@creditgate/client";
import { shown, verbose } from "#verbosity";

/** Throws the `CreditgateError` of misuse, `invalid_option`: which option, what was expected, what came. */
export function invalidOption(option: string, expected: string | false, received: unknown): never {
  const what = verbose ? `expected ${expected}, received ` : "";
  throw new CreditgateError("invalid_option", `${option}: ${what}${shown(received)}`);
}

/** Throws an `invalid_option` error for an unknown name, and suggests the nearest: a misspelled option has no effect. */
export function checkNames(given: object, known: KnownNames, check: NameCheck = {}): void {
  const unknown = unknownName(given, known, check);
  if (unknown !== undefined) (check.refuse ?? refuseName)(`${check.place ?? ""}${unknown}`);
}

/** How {@link checkNames} refuses a name. */
export interface NameCheck extends NameWords {
  /** What stands before the name, such as `usage.`. */
  readonly place?: string;
  /** Throws the error of the caller's package. @default a `CreditgateError` */
  readonly refuse?: (message: string) => never;
}

/** Throws the `invalid_option` error of a name that is not known. */
export function refuseName(message: string): never {
  throw new CreditgateError("invalid_option", message);
}

/** The longest time that an option may name; timers of 25 days and more would fire at once. */
export const day = 86_400_000;

export function checkNumber(option: string, value: unknown, least: number, most: number): number {
  if (typeof value === "number" && value >= least && value <= most) return value;
  return invalidOption(option, range("a number", least, most), value);
}

export function checkInteger(option: string, value: unknown, least: number, most: number): number {
  if (Number.isSafeInteger(value)) return checkNumber(option, value, least, most);
  return invalidOption(option, range("a whole number", least, most), value);
}

function range(what: string, least: number, most: number): string | false {
  return (
    verbose && `${what}, ${most >= Number.MAX_SAFE_INTEGER ? `${least} or more` : `from ${least} to ${most}`}`
  );
}

export function checkOneOf<T extends string | boolean>(
  option: string,
  value: unknown,
  allowed: readonly T[],
): T {
  const found = allowed.find((one) => one === value);
  return (
    found ?? invalidOption(option, verbose && allowed.map((one) => JSON.stringify(one)).join(" or "), value)
  );
}

export function checkFunction<T>(option: string, value: T): T {
  return typeof value === "function" ? value : invalidOption(option, verbose && "a function", value);
}

/** An object with these methods; `expected` names what has them. */
export function checkShape<T>(
  option: string,
  value: T,
  expected: string | false,
  methods: readonly (keyof T)[],
): T {
  const fits = typeof value === "object" && value !== null;
  if (fits && methods.every((method) => typeof value[method] === "function")) return value;
  return invalidOption(option, expected, value);
}

export function checkIdentifier(option: string, value: unknown): string {
  return isIdentifier(value)
    ? value
    : invalidOption(
        option,
        verbose && "a string of 1 to 256 bytes without control characters, not . or ..",
        value,
      );
}

/** Strings come from clients, whatever is in them; anything else comes from a mistake in the program. */
export function checkCustomer(option: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : invalidOption(option, verbose && "a string", value);
}

const mostBytes = 256;

/** Ids key the ledger and travel in URLs, where `.` and `..` are steps: they are bounded, and never folded or trimmed. */
export function isIdentifier(value: unknown): value is string {
  return isLine(value) && value !== "" && value !== "." && value !== "..";
}

/** A string of at most 256 bytes without control characters. A loop: each request asks this of three strings. */
export function isLine(value: unknown): value is string {
  if (typeof value !== "string" || value.length > mostBytes) return false;
  let bytes = 0;
  for (let index = 0; index < value.length; index++) {
    const unit = value.charCodeAt(index);
    if (unit < 0x20 || (unit >= 0x7f && unit <= 0x9f)) return false;
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit < 0xd800 || unit > 0xdfff) bytes += 3;
    else if (isSurrogatePair(unit, value.charCodeAt(++index))) bytes += 4;
    // A lone surrogate has no encoding of its own, so two such ids could become one.
    else return false;
  }
  return bytes <= mostBytes;
}

function isSurrogatePair(high: number, low: number): boolean {
  return high < 0xdc00 && low >= 0xdc00 && low <= 0xdfff;
}
