import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  defaultPeriodSettings,
  isTimeZone,
  type PeriodSettings,
  periodStart,
} from "../src/periods/settings.ts";
import { acme } from "./fixture.ts";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene(acme);
});
afterAll(() => scene.close());

/** When the period began that Acme is in. */
async function start(defaults: PeriodSettings, now: string): Promise<Date> {
  const { rows } = await sql<{ start: Date }>`
    select ${periodStart(defaults, new Date(now))} as start from organizations`.execute(scene.database);
  return rows[0]?.start ?? new Date(Number.NaN);
}

describe("periodStart", () => {
  const monthly = defaultPeriodSettings;
  it.each<[PeriodSettings, string, string]>([
    [monthly, "2026-02-28T23:59:59Z", "2026-02-01T00:00:00Z"],
    [{ ...monthly, anchor: 15 }, "2026-03-14T23:59:59Z", "2026-02-15T00:00:00Z"],
    [{ ...monthly, anchor: 15 }, "2026-03-15T00:00:00Z", "2026-03-15T00:00:00Z"],
    [{ ...monthly, anchor: 28 }, "2026-03-31T10:00:00Z", "2026-03-28T00:00:00Z"],
    [{ ...monthly, timeZone: "Europe/Amsterdam" }, "2026-05-31T21:59:59Z", "2026-04-30T22:00:00Z"],
    [{ ...monthly, timeZone: "Europe/Amsterdam" }, "2026-05-31T22:00:00Z", "2026-05-31T22:00:00Z"],
    [{ ...monthly, timeZone: "Pacific/Auckland" }, "2026-02-28T11:00:00Z", "2026-02-28T11:00:00Z"],
    // Clocks go forward in the night of 29 March, and back in that of 25 October: days of 23 and 25 hours.
    [
      { period: "daily", anchor: 1, timeZone: "Europe/Amsterdam" },
      "2026-03-29T21:59:59Z",
      "2026-03-28T23:00:00Z",
    ],
    [
      { period: "daily", anchor: 1, timeZone: "Europe/Amsterdam" },
      "2026-10-25T22:59:59Z",
      "2026-10-24T22:00:00Z",
    ],
    [
      { period: "daily", anchor: 9, timeZone: "Asia/Kolkata" },
      "2026-03-03T18:30:00Z",
      "2026-03-03T18:30:00Z",
    ],
    [{ period: "weekly", anchor: 1, timeZone: "UTC" }, "2026-03-01T12:00:00Z", "2026-02-23T00:00:00Z"],
    [{ period: "weekly", anchor: 7, timeZone: "UTC" }, "2026-03-07T12:00:00Z", "2026-03-01T00:00:00Z"],
  ])("%j: the period of %s began at %s", async (defaults, now, end) => {
    expect((await start(defaults, now)).toISOString()).toBe(new Date(end).toISOString());
  });

  it("goes by the settings of the organisation where it has any", async () => {
    await scene.pool.query("update organizations set billing_period = 'daily', time_zone = 'Asia/Tokyo'");
    expect(await start(monthly, "2026-01-05T15:00:00Z")).toEqual(new Date("2026-01-05T15:00:00Z"));
  });
});

describe("isTimeZone", () => {
  it("takes names of time zones, and nothing else", () => {
    expect(["UTC", "Europe/Amsterdam", "America/Argentina/Ushuaia"].every(isTimeZone)).toBe(true);
    expect(["", "Mars/Olympus", "+02:00", "x'"].some(isTimeZone)).toBe(false);
  });

  it("takes no short names that PostgreSQL does not know, or takes for other zones", () => {
    expect(["AET", "IST", "bst", "PST"].some(isTimeZone)).toBe(false);
    expect(["GMT", "CET", "EST"].every(isTimeZone)).toBe(true);
  });
});
