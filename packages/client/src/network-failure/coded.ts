/**
 * Failures before the first byte of a request: no name, no connection, no trusted TLS. The list is short on purpose:
 * to call a request "not sent" that was sent bills it twice, so what is not certain is not on it.
 */
const notSent: ReadonlySet<string> = new Set([
  "ENOTFOUND",
  "EAI_AGAIN",
  "EAI_FAIL",
  "EAI_NODATA",
  "EAI_NONAME",
  "ECONNREFUSED",
  "UND_ERR_CONNECT_TIMEOUT",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "HOSTNAME_MISMATCH",
  "INVALID_CA",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "ERR_TLS_CERT_SIGNATURE_ALGORITHM_UNSUPPORTED",
  "ERR_TLS_HANDSHAKE_TIMEOUT",
]);

/** True only if an error of `fetch` proves that the request was never written. */
export function wasNeverSent(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { code, syscall, errors, cause }: NetworkError = error;
  // A name with several addresses has the code of the first: each of them must have failed.
  if (Array.isArray(errors) && errors.length > 0) return errors.every(wasNeverSent);
  if (typeof code === "string" && (notSent.has(code) || code.startsWith("CERT_"))) return true;
  return syscall === "connect" || wasNeverSent(cause);
}

/** The code of the failure below, such as `ECONNREFUSED`, if the runtime gives one. */
export function failureCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { code, cause }: NetworkError = error;
  return typeof code === "string" && /^\w{1,64}$/.test(code) ? code : failureCode(cause);
}

/** What Node's errors carry; other runtimes carry less, which makes their failures ambiguous. */
interface NetworkError {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly errors?: unknown;
  readonly cause?: unknown;
}
