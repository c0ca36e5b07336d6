import type { RequestHandler } from "express";
import type { FairShare } from "../database/fair-share.ts";
import { caller } from "./authentication.ts";

/** A client that has gone leaves its queries behind: they have ended by then. */
const leftBehindMs = 5_000;

/** Gives each organisation its part of the database; what is of none needs no turn. Usage reports go together, and ask for a turn where they need one. */
export function takeTurns(share: FairShare): RequestHandler {
  return async (_request, response, next) => {
    const { orgId } = caller(response);
    if (orgId === undefined) return next();
    const leave = await share.take(orgId);
    if (response.destroyed) return leave();
    response.once("close", () => {
      if (response.writableFinished) leave();
      else setTimeout(leave, leftBehindMs).unref();
    });
    next();
  };
}
