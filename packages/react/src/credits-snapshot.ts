/** A wallet as its customer may see it: what `creditsRoute()` answers. Amounts are credits. */
export interface CreditsSnapshot {
  /** What the wallet can pay, work done counted; `null` without a limit. Below 0 it is debt. */
  readonly balance: number | null;
  /** The part of it that is held for work in flight. */
  readonly held: number;
  /** Work done is on its way to the billing service: until that has acknowledged it, the balance may be too low. */
  readonly settling?: true;
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
    ...("settling" in value && value.settling === true && { settling: true }),
    ...("stale" in value && value.stale === true && { stale: true }),
  };
}

/** The difference of two amounts of credits, exact to the micro-credit. */
export function lessCredits(credits: number, less: number): number {
  return (Math.round(credits * 1e6) - Math.round(less * 1e6)) / 1e6;
}
