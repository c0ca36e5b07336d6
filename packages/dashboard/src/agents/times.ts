import { toMicro } from "../parts/credits.ts";
import { formatRate } from "./rates.ts";

/** What a number of uses cost: each is rounded by itself, as each is billed by itself. Exact, however many. */
export function creditsTimes(credits: number, times: string): string {
  const micro = BigInt(toMicro(credits)) * BigInt(times.trim().replaceAll(",", "") || "1");
  const text = micro.toString().padStart(7, "0");
  return formatRate(`${text.slice(0, -6)}.${text.slice(-6).replace(/0+$/, "")}`);
}
