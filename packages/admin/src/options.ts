import { type ClientOptions, CreditgateError, unknownName } from "@creditgate/client";
import { environment, missing, readSettings, refused, type Settings } from "@creditgate/client/parts";

/** How to reach the admin API: as for `createClient`, with an admin token, or that of a person, in place of an API key. */
export interface AdminClientOptions extends Omit<ClientOptions, "apiKey" | "header" | "organization"> {
  /**
   * An admin token, which opens all organisations, or the token of a person, which may do what that one may: 20 to 256
   * letters, digits and `-._~+/=`.
   * @default the environment variable CREDITGATE_ADMIN_TOKEN
   */
  readonly adminToken?: string | undefined;
  /**
   * Sends no token: the browser's cookie says who asks. For pages at the same origin, and never with an `adminToken`.
   * @default false
   */
  readonly session?: boolean | undefined;
}

const optionNames: Readonly<Record<keyof AdminClientOptions, true>> = {
  baseUrl: true,
  adminToken: true,
  session: true,
  timeoutMs: true,
  retries: true,
  maxAnswerBytes: true,
  allowInsecure: true,
  fetch: true,
  timing: true,
};

/** As `readSettings`: what is malformed is refused at once, what is missing is looked for again at the first call. */
export function readAdminSettings(options: AdminClientOptions): () => Settings {
  const unknown = unknownName(options, optionNames);
  if (unknown !== undefined) throw new CreditgateError("invalid_option", unknown);
  const { adminToken, session = false, ...rest } = options;
  if (typeof session !== "boolean") throw refused("session", "true or false", session);
  if (session && adminToken !== undefined) {
    throw new CreditgateError("invalid_option", "session: expected no adminToken beside it, received both");
  }
  // No secret is sent, and none is looked for in errors.
  if (session) return sessionSettings(readSettings({ ...rest, apiKey: "session", header: "authorization" }));
  const read = (apiKey: string) => readSettings({ ...rest, apiKey, header: "authorization" });
  const readToken = () => {
    const token = adminToken ?? environment("CREDITGATE_ADMIN_TOKEN");
    return token === undefined ? undefined : read(checkAdminToken(token));
  };
  let settings = readToken();
  // The other options are checked now, in any case; what stands for the token here is never sent.
  if (settings === undefined) read("missing");
  let complete: Settings | undefined;
  return () => {
    if (complete !== undefined) return complete;
    settings ??= readToken();
    if (settings === undefined) throw missing("adminToken", meaning, "CREDITGATE_ADMIN_TOKEN", factory);
    if ((rest.baseUrl ?? environment("CREDITGATE_BASE_URL")) === undefined) {
      throw missing("baseUrl", "the URL of the service", "CREDITGATE_BASE_URL", factory);
    }
    const current = settings();
    complete = { ...current, credential: `Bearer ${current.apiKey}` };
    return complete;
  };
}

function sessionSettings(settings: () => Settings): () => Settings {
  return () => ({ ...settings(), apiKey: "", credential: undefined });
}

const factory = "createAdminClient";
const meaning = "the token of an administrator (`creditgate serve` writes one to .creditgate/admin-token)";

/** The value is a secret even when it is malformed: no message contains it. */
function checkAdminToken(value: unknown): string {
  if (typeof value === "string" && /^[\w.~+/=-]{20,256}$/.test(value)) return value;
  const received =
    typeof value === "string" ? `a string of ${value.length} characters that is none` : typeof value;
  throw new CreditgateError(
    "invalid_option",
    "adminToken: expected 20 to 256 letters, digits and -._~+/=, without the name of its owner, as the option or in " +
      `CREDITGATE_ADMIN_TOKEN, received ${received}`,
  );
}
