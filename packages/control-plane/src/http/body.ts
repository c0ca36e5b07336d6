import express, { type RequestHandler } from "express";
import { Problem } from "./problem.ts";

const mebibyte = 1024 * 1024;

/** Reads JSON bodies, of any JSON value: the schemas say which are right. */
export const jsonBody: RequestHandler = express.json({ limit: mebibyte, strict: false });

/** A body that is not JSON would be read as none. Clients announce an empty body as well. */
export const jsonOnly: RequestHandler = (request, _response, next) => {
  const isEmpty = request.get("content-length") === "0";
  if (isEmpty || request.is("application/json") !== false) return next();
  const received = request.get("content-type") ?? "none";
  throw new Problem(
    415,
    "unsupported_media_type",
    `content-type: expected application/json, received ${JSON.stringify(received)}`,
  );
};
