import { isUnavailable, unavailableReason } from "../database/connection.ts";
import { ControlPlaneError } from "../errors/control-plane-error.ts";
import type { ServedRequest } from "../http/served-request.ts";

export const logFormats = ["text", "json"] as const;
export type LogFormat = (typeof logFormats)[number];

/** What a process says while it runs: lines for people, or one JSON object a line for a collector. */
export interface Log {
  /** What it does, on stdout. */
  info(text: string): void;
  /** What an operator should know. */
  warn(text: string): void;
  /** What has failed, in a request of this ID if there is one. */
  error(error: unknown, requestId?: string): void;
  /** A request that has been answered, or given up by its client. */
  request(served: ServedRequest): void;
}

/** As text a line has no time: the journal of the machine writes it beside. */
export function createLog(format: LogFormat): Log {
  const write = (
    stream: NodeJS.WriteStream,
    level: "info" | "warn" | "error",
    text: string,
    fields: object = {},
  ): void => {
    const line =
      format === "json"
        ? JSON.stringify({ time: new Date().toISOString(), level, message: text, ...fields })
        : `creditgate${level === "info" ? " " : ": "}${text}`;
    stream.write(`${line}\n`);
  };
  return {
    info: (text) => write(process.stdout, "info", text),
    warn: (text) => write(process.stderr, "warn", text),
    error(error, requestId) {
      const text = describeError(error);
      const named = format === "json" || requestId === undefined ? text : `${text} (request ${requestId})`;
      const code = error instanceof ControlPlaneError ? error.code : undefined;
      write(process.stderr, "error", named, { code, requestId });
    },
    request(served) {
      const { method, path, status, ms, requestId } = served;
      const ended = status === undefined ? "given up by the client" : String(status);
      write(process.stdout, "info", `${method} ${path} ${ended} ${ms} ms (request ${requestId})`, served);
    },
  };
}

/** While it runs an outage or a full disk is met again and again; where it was met says nothing of it. */
function describeError(error: unknown): string {
  if (error instanceof ControlPlaneError) return error.message;
  if (isUnavailable(error)) return `PostgreSQL cannot be used now: ${unavailableReason(error)}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
