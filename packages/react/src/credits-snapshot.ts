/** A wallet as its customer may see it: what `creditsRoute()` answers. Amounts are credits. */
export interface CreditsSnapshot {
  /** What the wallet can pay, as the billing service has it; `null` without a limit. Below 0 it is debt. */
  readonly balance: number | null;
  /** The part of it that is held: for work in flight, and for work done until the billing service has billed it. */
  readonly held: number;
  /** The billing service could not be asked just now. */
  readonly stale?: true;
}

/** `undefined` where the answer of the route makes no sense. */
export function parseSnapshot(value: unknown): CreditsSnapshot | undefined {
  if (typeof value !== "object" || value === null || !("balance" in value) || !("held" in value))
    return undefined;
  const { balance, held } = value;
  if (balance !== null && !(typeof balance === "number" && Number.isFinite(balance))) return undefined;
  if (typeof held !== "number" || !Number.isFinite(held)) return undefined;
  return {
    balance,
    held,
    ...("stale" in value && value.stale === true && { stale: true }),
  };
}

/** The difference of two amounts of credits, exact to the micro-credit. */
export function lessCredits(credits: number, less: number): number {
  return (Math.round(credits * 1e6) - Math.round(less * 1e6)) / 1e6;
}
