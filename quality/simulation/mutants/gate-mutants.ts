import { type Mutant, patch } from "./mutant.ts";

const reading = "const reading = shared ?? (await source.read(asked?.keys));";

/** Mistakes on the way from a balance answer to a decision. */
export const gateMutants: readonly Mutant[] = [
  {
    name: "snapshot stamped when the response arrives",
    patches: [
      patch(
        "core/src/wallet/customer.ts",
        reading,
        `${reading}
         for (const [index, { account }] of wallets.entries()) {
           permits[index] = await permitOf(account, refresh.freshSince, clock);
         }`,
      ),
    ],
  },
  {
    name: "deny on stale news",
    patches: [
      patch(
        "core/src/decision/decision.ts",
        "const older = customer.refreshing;",
        `const denied = await holdNow(question, freshness);
         if (denied.hold !== undefined || denied.figures?.stamp !== undefined) return denied;
         const older = customer.refreshing;`,
      ),
    ],
  },
  {
    name: "deny on news that was asked for before the request",
    patches: [
      patch(
        "core/src/decision/decision.ts",
        "const older = customer.refreshing;",
        "const older = undefined; const since = customer.refreshing?.stamp ?? arrival;",
      ),
      patch(
        "core/src/decision/decision.ts",
        "judgeFresh(question, freshness, arrival)",
        "judgeFresh(question, freshness, since)",
      ),
    ],
  },
  {
    name: "a failed refresh renews the age of the snapshot",
    patches: [
      patch(
        "core/src/wallet/customer.ts",
        reading,
        `const news = shared ?? (await source.read(asked?.keys));
         if (news.known) this.lastKnown = news;
         const reading = news.known ? news : (this.lastKnown ?? news);`,
      ),
    ],
  },
  {
    name: "a proxy's 404 is taken for the service's request",
    seed: 21,
    patches: [
      patch(
        "core/src/service/known-service.ts",
        "if (problem === undefined) return false;",
        "if (problem === undefined) return true;",
      ),
    ],
  },
  {
    name: "the resolution of a coarse clock is not counted beside the lag",
    seed: 64,
    patches: [patch("core/src/wallet/memory-ledger.ts", " + resolutionOf(clock)", "")],
    options: {
      scenario: { resolutionMs: 16, lagMs: 109, ttlMs: 1, latencyMs: 5, faultRate: 0, outages: [] },
    },
  },
  {
    name: "402 when the balance cannot be read",
    patches: [
      patch(
        "core/src/decision/decision.ts",
        "last.because(reading.code)",
        'last.because("insufficient_credits")',
      ),
    ],
  },
  {
    name: "402 when no balance comes in time",
    patches: [
      patch(
        "core/src/decision/decision.ts",
        'if (reading === undefined) return last.because("upstream_unavailable"',
        'if (reading === undefined) return last.because("insufficient_credits"',
      ),
    ],
  },
  {
    name: "allow when no balance comes in time",
    patches: [
      patch(
        "core/src/decision/decision.ts",
        'if (reading === undefined) return last.because("upstream_unavailable"',
        "if (reading === undefined) return last.because(undefined",
      ),
    ],
  },
  {
    name: "each gate keeps the wallets for itself",
    patches: [patch("core/src/registry/registry.ts", "registry.customers.get(service) ?? ", "")],
  },
  {
    name: "eviction of pinned accounts",
    seed: 8,
    patches: [patch("core/src/registry/customers.ts", "?.idle(now) !== false", " !== null")],
  },
  {
    name: "unlimited on all-zero prepaid",
    seed: 18,
    patches: [
      patch(
        "core/src/wallet/capacity.ts",
        "// `pending` never counts: it is not paid for yet.",
        "if (Object.values(wallet).every((amount) => amount === 0)) return Number.POSITIVE_INFINITY;",
      ),
    ],
  },
  {
    name: "pending credits count",
    patches: [
      patch(
        "core/src/wallet/capacity.ts",
        'exactMicro(wallet.available, "floor")',
        'exactMicro(wallet.available + wallet.pending, "floor")',
      ),
    ],
  },
  {
    name: "debt does not count",
    patches: [patch("core/src/wallet/capacity.ts", 'exactMicro(wallet.overage_used, "ceil")', "0n")],
  },
  {
    name: "a limit that is used up is no limit",
    seed: 7,
    patches: [
      patch(
        "core/src/wallet/capacity.ts",
        "if (wallet.postpaid_limit === 0)",
        "if (wallet.postpaid_limit <= wallet.postpaid_used)",
      ),
    ],
  },
  {
    name: "a doubtful balance counts as 0",
    patches: [
      patch(
        "core/src/wallet/capacity.ts",
        'if (!isWallet(entry)) return bothWays("upstream_invalid");',
        "if (!isWallet(entry)) return { prepaid: 0, postpaid: 0 };",
      ),
    ],
  },
  {
    name: "naive x * 1e6 scaling",
    seed: 117,
    patches: [
      patch(
        "core/src/values/micro.ts",
        "const whole = wholeMicro(credits);",
        'if (rounding === "floor") return BigInt(Math.floor(credits * 1e6));\n const whole = wholeMicro(credits);',
      ),
    ],
  },
  {
    name: "the sum of float credits",
    seed: 8,
    patches: [
      patch(
        "core/src/wallet/capacity.ts",
        'const funds = exactMicro(wallet.available, "floor") + exactMicro(wallet.overage_limit, "floor");',
        'return clampMicro(exactMicro(wallet.available + wallet.overage_limit - wallet.overage_used, "floor")); const funds = 0n;',
      ),
    ],
  },
  { name: "holds are rounded down", patches: [patch("core/src/wallet/hold.ts", '"ceil"', '"floor"')] },
  { name: "wall clock stepped forward", patches: [], options: { steppedClock: true } },
  { name: "L half of the real lag", patches: [], options: { lagFactor: 0.5 } },
];
