import { errorMessage } from "@creditgate/core/adapter";

/**
 * - `unsafe_server`: the server may lose what it must not, or accepts no writes; the message names the fix
 * - `timeout`: no answer in `timeoutMs`; `cause` is why the client has no connection, if it has reported that
 * - `unreachable`: the client has given up a command that it could not send; `cause` is why
 */
export type RedisErrorCode = "unsafe_server" | "timeout" | "unreachable";

/** The one error of this package, beside those of the client. Misuse is core's `invalid_option`. */
export class RedisError extends Error {
  override readonly name = "RedisError" as const;
  readonly code: RedisErrorCode;

  constructor(code: RedisErrorCode, message: string, cause?: unknown) {
    if (cause === undefined) super(message);
    else super(`${message}: ${errorMessage(cause)}`, { cause });
    this.code = code;
  }
}
