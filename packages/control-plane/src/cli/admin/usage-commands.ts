import {
  acting,
  agent,
  type Commands,
  choice,
  currency,
  customer,
  indicator,
  listing,
  reason,
  span,
} from "./command.ts";

export const usage: Commands = {
  list: listing(
    "reports of usage, the newest first",
    {
      options: {
        customer,
        agent,
        indicator,
        outcome: choice("outcome", "only with this outcome", [
          ...["unsettled", "wallet_missing", "out_of_range", "free", "not_credits"],
        ]),
        "idempotency-key": {
          field: "idempotency_key",
          value: "KEY",
          meaning: "only the report with this key",
        },
        ...span,
      },
      csv: "usageCsv",
    },
    (organization, { request }) => organization.usage.all(request()),
  ),
  show: acting("a report of usage", { arguments: ["usage"] }, (organization, { argument }) =>
    organization.usage.get(argument("usage")),
  ),
  sums: listing(
    "sums of usage, with what is not settled yet",
    {
      options: {
        by: {
          ...choice("by", "what is summed by", ["hour", "day", "agent", "indicator", "customer"]),
          required: true,
        },
        customer,
        agent,
        indicator,
        currency,
        ...span,
      },
    },
    (organization, { request }) => organization.usage.sums.all(request()),
  ),
  series: acting(
    "usage over time, by the agents or customers that used most",
    {
      options: {
        by: { ...choice("by", "whose usage stands by itself", ["agent", "customer"]), required: true },
        currency: { ...currency, meaning: "in this credit currency", required: true },
        unit: choice("unit", "how it is added up; day by default", ["hour", "day"]),
        top: { field: "top", as: "number", value: "COUNT", meaning: "how many, 4 by default" },
        ...span,
      },
    },
    (organization, { request }) => organization.overview.usage(request()),
  ),
  refusals: acting(
    "counts of usage that no wallet has paid, by reason",
    { options: span },
    (organization, { request }) => organization.overview.refusals(request()),
  ),
  waiting: acting("what is accepted and not settled yet", {}, (organization) =>
    organization.overview.settlement(),
  ),
  unbilled: listing(
    "usage that no wallet has paid, by wallet and reason",
    {
      options: {
        customer,
        currency,
        cause: choice("reason", "only for this reason", ["wallet_missing", "out_of_range"]),
      },
    },
    (organization, { request }) => organization.unbilled.all(request()),
  ),
  failures: listing("usage that could not be settled, and why", {}, (organization) =>
    organization.unbilled.settlementFailures.all(),
  ),
  resettle: acting(
    "settles usage again that no wallet has paid, or that has failed",
    {
      options: {
        reason,
        customer,
        agent,
        indicator,
        currency,
        cause: choice("cause", "only for this cause", ["wallet_missing", "out_of_range", "failed"]),
        ids: { field: "usageIds", as: "list", value: "ID,...", meaning: "only these reports" },
        ...span,
      },
    },
    async (organization, { request }) => {
      let resettled = 0;
      for (;;) {
        const answer = await organization.unbilled.resettle(request());
        resettled += answer.resettled;
        if (!answer.more) return { resettled };
      }
    },
  ),
};

export const voiceSessions: Commands = {
  list: listing(
    "voice calls that have not ended, the oldest first",
    {
      options: {
        customer,
        agent,
        state: choice("state", "only in this state", ["open", "abandoned"]),
        ...span,
      },
    },
    (organization, { request }) => organization.voiceSessions.all(request()),
  ),
  close: acting(
    "ends a call and bills it",
    {
      arguments: ["session"],
      options: {
        reason,
        indicator: {
          field: "indicator",
          value: "NAME",
          meaning: "the only one in CREDITS of its agent without it",
        },
        minutes: {
          field: "totalDuration",
          as: "number",
          value: "N",
          meaning: "how long it was; without it only what was tracked is billed",
        },
      },
    },
    (organization, { argument, request }) => organization.voiceSessions.close(argument("session"), request()),
  ),
  expire: acting(
    "ends calls without a request for long",
    {
      options: {
        reason,
        seconds: { field: "silentSeconds", as: "number", value: "N", meaning: "for how long (86400)" },
      },
    },
    async (organization, { request }) => {
      const all = { billed: 0, unbilled: [] as { readonly sessionId: string; readonly reason: string }[] };
      for (;;) {
        const { billed, unbilled, more } = await organization.voiceSessions.expire(request());
        all.billed += billed;
        all.unbilled.push(...unbilled);
        if (!more) return all;
      }
    },
  ),
};
