import type { RequestHandler } from "express";
import type { OwnLimits } from "../database/tables.ts";
import { Problem } from "../http/problem.ts";
import { createTokenBuckets, type TokenBuckets } from "../http/token-buckets.ts";
import type { Rates } from "../limits/limits.ts";
import type { Clock } from "../time/clock.ts";
import { caller } from "./authentication.ts";

/** Whose requests are counted. */
interface Rated {
  readonly orgId: bigint;
  readonly keyId: string;
  /** What an operator has set for the organisation. */
  readonly limits: OwnLimits;
}

/** Bounds what a client, and what an organisation with all of its keys, may ask for. Throws a 429 where that is too much. */
export interface RateLimit {
  /** Counts a request with an API key. */
  take(by: Rated): void;
  /** Counts a report of usage. */
  takeReport(by: Rated): void;
  /** Counts more reports, of a batch that was let in by its first: the next ones wait for it. */
  spendReports(by: Rated, reports: number): void;
  /** Counts a request with the session or the token of a person, whatever it asks for. */
  takeOfPerson(credential: string): void;
  /** Counts a request of an administrator, by itself: an organisation's gates do not keep its people out. */
  takeOfAdministrator(by: Omit<Rated, "keyId">): void;
}

export interface RateLimitOptions {
  /** Requests per second of an API key, and of a session or a token of a person; 0 is no limit. */
  readonly perKey: number;
  /** Of organisations that have none of their own. */
  readonly rates: Rates;
}

/** As many reports of a batch are about as much work as one that comes alone. */
const reportsOfARequest = 10;

/**
 * A number of requests a second in the long run, a second's worth at once. It guards this process against a client that runs wild, and the
 * other organisations against one that takes all; replicas do not share it.
 */
export function createRateLimit({ perKey, rates }: RateLimitOptions, clock: Clock): RateLimit {
  const keys = createTokenBuckets({ perSecond: perKey, burst: perKey, clock });
  const { requestsPerSecond: requests, reportsPerSecond: reports } = rates;
  const ofRequests = createTokenBuckets({ perSecond: requests, burst: requests, clock });
  const ofReports = createTokenBuckets({ perSecond: reports, burst: reports, clock });

  const count = (buckets: TokenBuckets, name: string, most: number, what: string): void => {
    if (most === 0) return;
    const seconds = buckets.take(name, most);
    if (seconds === 0) return;
    throw new Problem(429, "rate_limited", `expected at most ${most} ${what}, received more`, {
      headers: { "retry-after": String(seconds) },
      isHeldBack: true,
    });
  };
  const countRequest = (name: string, { requestsPerSecond = requests }: OwnLimits): void =>
    count(
      ofRequests,
      name,
      requestsPerSecond,
      "requests per second of the organisation (limit requestsPerSecond)",
    );

  return {
    take({ orgId, keyId, limits }) {
      count(keys, keyId, perKey, "requests per second with this API key");
      countRequest(String(orgId), limits);
    },
    takeReport({ orgId, limits: { reportsPerSecond = reports } }) {
      const what = "reports of usage per second of the organisation (limit reportsPerSecond)";
      count(ofReports, String(orgId), reportsPerSecond, what);
    },
    spendReports({ orgId, keyId, limits: { reportsPerSecond = reports } }, more) {
      if (perKey > 0) keys.spend(keyId, Math.ceil((more + 1) / reportsOfARequest) - 1, perKey);
      if (reportsPerSecond > 0) ofReports.spend(String(orgId), more, reportsPerSecond);
    },
    takeOfPerson: (credential) =>
      count(keys, `person ${credential}`, perKey, "requests per second with this session or token"),
    takeOfAdministrator: ({ orgId, limits }) => countRequest(`administrators of ${orgId}`, limits),
  };
}

export function rateLimit(limit: RateLimit): RequestHandler {
  return (_request, response, next) => {
    const { orgId, keyId, limits = {} } = caller(response);
    if (orgId !== undefined) limit.take({ orgId, keyId, limits });
    next();
  };
}

/** Of administrators: what an operator asks of no organisation is not counted. */
export function limitAdministrators(limit: RateLimit): RequestHandler {
  return (_request, response, next) => {
    const { orgId, limits = {} } = caller(response);
    if (orgId !== undefined) limit.takeOfAdministrator({ orgId, limits });
    next();
  };
}
