const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "UTC" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const weekday = new Intl.DateTimeFormat("en-GB", {
  ...{ weekday: "short", day: "numeric", month: "short", timeZone: "UTC" },
});
const hour = new Intl.DateTimeFormat("en-GB", {
  ...{ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZone: "UTC" },
});

/** The beginning of an hour or a day, as it stands at an axis; alone, with what the axis would tell. */
export function describeTime(time: string, unit: string, isAlone = false): string {
  const format = unit === "hour" ? (isAlone ? hour : clock) : isAlone ? weekday : day;
  return format.format(new Date(time));
}

/** Whole weeks, and parts of a day. */
const steps: Readonly<Record<string, readonly number[]>> = { day: [1, 2, 7, 14, 28], hour: [1, 2, 3, 6, 12] };

/** Every how many bars one has its time below it, so that the texts do not touch. */
export function tickEvery(unit: string, bars: number, room: number): number {
  return steps[unit]?.find((step) => bars / step <= room) ?? bars;
}
