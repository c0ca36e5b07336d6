import type { AdminGate, GateDecisions } from "@creditgate/admin";
import { sumOf, toMicro } from "../parts/amounts.ts";

/** The gates of one name, as one row. */
export interface Application {
  readonly name: string;
  readonly platform: string;
  readonly instances: number;
  /** Without repetition, the newest first. */
  readonly versions: readonly string[];
  readonly heardAt: string;
  /** None of them has sent a heartbeat for three intervals. */
  readonly isSilent: boolean;
  readonly decisions: number;
  readonly denied: number;
  /** In micro-credits. */
  readonly held: bigint;
  readonly open: number;
  readonly queued: number;
  readonly parked: number;
  readonly dead: number;
  readonly late: number;
}

/** The gates by name, and how those of the name have decided. */
export function applicationsOf(
  gates: readonly AdminGate[],
  decisions: readonly GateDecisions[],
  now: number,
): readonly Application[] {
  const names = [...new Set(gates.map(({ name }) => name))];
  return names.map((name) => {
    const own = gates.filter((gate) => gate.name === name);
    const counted = decisions.filter((one) => one.name === name);
    const sum = (of: (gate: AdminGate) => number) => own.reduce((total, gate) => total + of(gate), 0);
    const heardAt = own.reduce((latest, gate) => (gate.heardAt > latest ? gate.heardAt : latest), "");
    return {
      name,
      platform: [...new Set(own.map(({ platform }) => platform))].filter(Boolean).join(", "),
      instances: own.length,
      versions: [...new Set(own.map(({ version }) => version))].sort().reverse(),
      heardAt,
      isSilent: own.every((gate) => now - Date.parse(gate.heardAt) > 3 * gate.everyMs),
      decisions: countOf(counted),
      denied: countOf(counted.filter(({ code }) => code !== null)),
      held: sumOf(own.map(({ held }) => toMicro(held))),
      open: sum(({ open }) => open),
      queued: sum(({ queued }) => queued),
      parked: sum(({ parked }) => parked),
      dead: sum(({ dead }) => dead),
      late: sum(({ late }) => late),
    };
  });
}

export function countOf(decisions: readonly GateDecisions[]): number {
  return decisions.reduce((total, one) => total + one.decisions, 0);
}

const percent = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** "0.9 %"; what is not 0 is not shown as 0. */
export function shareOf(part: number, whole: number): string {
  if (whole === 0) return "–";
  const share = (100 * part) / whole;
  return share > 0 && share < 0.1 ? "< 0.1 %" : `${percent.format(share)} %`;
}

const perSecond = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Decisions a second, of the same decimals down a column; what is not 0 is not shown as 0. */
export function rate(decisions: number, minutes: number): string {
  const mean = decisions / (60 * minutes);
  return mean > 0 && mean < 0.01 ? "< 0.01" : perSecond.format(mean);
}
