/**
 * The time of an account, by the clock of its store: it never steps back. While the clock is behind, for it has stepped back, the time goes
 * on as the clock does: if it stood still, a balance of long ago would count as fresh until the clock has caught up.
 */
export function timeAt(
  { now, clock }: { readonly now: number; readonly clock: number },
  present: number,
): number {
  return present >= now ? present : now + Math.max(0, present - clock);
}
