export type ControlPlaneErrorCode =
  | "config_invalid"
  | "fixture_invalid"
  | "port_unavailable"
  | "data_directory_in_use"
  | "data_directory_unusable"
  | "postgres_missing"
  | "postgres_failed"
  | "database_unreachable"
  | "database_older"
  | "database_newer"
  | "migration_waits"
  | "stopped"
  | "request_failed"
  | "operator_needed";

/** What keeps a control plane from starting or, `operator_needed`, from doing a part of its work, or, `request_failed`, an administrator from something. The message says what was expected, what was found, and the way out. */
export class ControlPlaneError extends Error {
  override readonly name = "ControlPlaneError" as const;
  readonly code: ControlPlaneErrorCode;

  constructor(code: ControlPlaneErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The code that Node.js and PostgreSQL put on their errors. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
