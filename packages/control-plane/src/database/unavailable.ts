import { errorCode } from "../errors/control-plane-error.ts";
import type { Clock } from "../time/clock.ts";

/**
 * SQLSTATEs of what passes: 08 the connection, 25006 a server that can only read, as after a failover, 40001 and 40P01
 * transactions in each other's way, 53 no memory, disk or connections, 55P03 a lock that is not had in time, 57014 a
 * statement that takes too long, 57P a server that stops or starts, 58030 a disk that fails; 28000, 28P01 and 3D000 a
 * connection that is refused, until an operator has mended that. Then those of the network, and of TLS: a certificate that
 * has expired, or that is not trusted.
 */
const passing =
  /^(08...|25006|25P03|28000|28P01|3D000|40001|40P01|53...|55P03|57014|57P0[1-5]|58030|ECONNREFUSED|ECONNRESET|ECONNABORTED|EHOSTUNREACH|ENETUNREACH|EPIPE|ENOENT|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPROTO|ERR_TLS_CERT_ALTNAME_INVALID|CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT_LOCALLY|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/;

/**
 * What pg says without a code, or with one of many meanings: 55000, and 23514 of a row whose partition was made while it was
 * on its way to the default one. The last two: a process that is being stopped.
 */
const passingMessages =
  /violates partition constraint|Connection terminated|The server does not support SSL connections|is not currently accepting connections|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout|Client was closed and is not queryable|Cannot use a pool after calling end|driver has already been destroyed/;

/** Whether an error says that PostgreSQL cannot do it now, as opposed to a query that is wrong. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  if (passing.test(errorCode(error) ?? "")) return true;
  return passingMessages.test(error.message);
}

/** Whether a lock was not had in time, or a statement took too long: it may be about one row, as opposed to an outage. */
export function tookTooLong(error: unknown): boolean {
  return /^(55P03|57014)$/.test(errorCode(error) ?? "");
}

/** Why PostgreSQL cannot do it, in one line: its own words, or the code of the network. */
export function unavailableReason(error: unknown): string {
  const code = errorCode(error);
  if (!(error instanceof Error)) return String(error);
  if (code === undefined) return error.message;
  return /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? `${error.message} (${code})` : code;
}

/** Whether PostgreSQL has not answered in time: its connection may still be busy with the query. */
export function isReadTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === "Query read timeout";
}

/** Remembers that PostgreSQL could not write, which reading does not show. */
export interface WriteFailures {
  /** Takes any error, and notes those of a disk. */
  note(error: unknown): void;
  /** What PostgreSQL said last, if that is a few seconds ago at most. */
  recent(): string | undefined;
}

/** 53100 a disk that is full, 58030 one that fails. */
const ofDisk = new Set(["53100", "58030"]);
/** Longer than from one check of a load balancer to the next. */
const rememberedMs = 5_000;

export function createWriteFailures(clock: Clock): WriteFailures {
  let last: { readonly at: number; readonly message: string } | undefined;
  return {
    note(error) {
      if (!(error instanceof Error) || !ofDisk.has(errorCode(error) ?? "")) return;
      last = { at: clock.now(), message: error.message };
    },
    recent() {
      return last !== undefined && clock.now() - last.at < rememberedMs ? last.message : undefined;
    },
  };
}
