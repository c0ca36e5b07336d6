import { byHand } from "./by-hand.ts";
import type { Contestant } from "./contestant.ts";
import { creditgate, creditgatePlain } from "./creditgate.ts";

/** Whose packages are installed apart: the modules of `quality/bench/contest/contestants`, and their exports. */
const others: Readonly<Record<string, string>> = {
  autumn: "autumn",
  autumnLock: "autumn",
  schematic: "schematic",
  schematicReserve: "schematic",
  polar: "polar",
  unkey: "unkey",
  x402: "x402",
  rateLimiterFlexible: "limiters",
  expressRateLimit: "limiters",
};
const ours: Readonly<Record<string, Contestant>> = { creditgate, creditgatePlain, byHand };

export const names: readonly string[] = [...Object.keys(ours), ...Object.keys(others)];

/** The folder whose packages the others need. */
export const othersFolder = new URL("../../contest/", import.meta.url);

export async function contestantOf(name: string): Promise<Contestant> {
  const own = ours[name];
  if (own !== undefined) return own;
  const module = await import(new URL(`contestants/${others[name]}.mjs`, othersFolder).href);
  return module[name] as Contestant;
}
