/**
 * - `unsafe_server`: the server may lose what it must not; the message names the fix
 * - `timeout`: no answer in `timeoutMs`
 */
export type RedisErrorCode = "unsafe_server" | "timeout";

/** The one error of this package, beside those of the client. Misuse is core's `invalid_option`. */
export class RedisError extends Error {
  override readonly name = "RedisError" as const;
  readonly code: RedisErrorCode;

  constructor(code: RedisErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
