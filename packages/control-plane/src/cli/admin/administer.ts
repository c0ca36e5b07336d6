import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import process from "node:process";
import {
  type AdminClient,
  createAdminClient,
  csvEndpoints,
  type OrganizationAdmin,
  printEndpoints,
} from "@creditgate/admin";
import { type Endpoint, isCreditgateError } from "@creditgate/client";
import { ControlPlaneError } from "../../errors/control-plane-error.ts";
import { type Asked, readArguments } from "./arguments.ts";
import type { Command, Input } from "./command.ts";
import { commandHelp, resourceHelp } from "./help.ts";
import type { ResourceName } from "./resource-names.ts";
import { table } from "./table.ts";

/** Runs `creditgate <resource> <action> …`; resolves with the exit code. Throws a `ControlPlaneError` for what cannot be done. */
export async function administer(resource: ResourceName, args: readonly string[]): Promise<number> {
  const asked = readArguments(resource, args);
  if (asked.kind === "help") {
    process.stdout.write(helpOf(asked));
    return 0;
  }
  try {
    await perform(asked);
    return 0;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EPIPE") return 0;
    throw isCreditgateError(error) ? described(asked, error) : error;
  }
}

function helpOf({ resource, action }: Asked & { readonly kind: "help" }): string {
  const command = action === undefined ? undefined : table[resource][action];
  return action === undefined || command === undefined
    ? resourceHelp(resource)
    : commandHelp(resource, action, command);
}

async function perform({
  command,
  request,
  common,
  ...asked
}: Asked & { readonly kind: "command" }): Promise<void> {
  const access = readAccess(common.baseUrl);
  const client = createAdminClient({ ...access, allowInsecure: common.allowInsecure });
  let found: Promise<OrganizationAdmin> | undefined;
  const organization = () => {
    found ??= organizationOf(client, common.organization);
    return found;
  };
  const file = command.file ?? (common.csv ? command.csv : undefined);
  if (file !== undefined) {
    const { organizationId } = await organization();
    await writeFile(access, csvEndpoints[file], { organizationId, request });
    return;
  }
  if (command.page !== undefined) {
    const { organizationId } = await organization();
    const [id] = asked.arguments.values();
    await writeFile(access, printEndpoints[command.page], { organizationId, request, id });
    return;
  }
  const input: Input = {
    client,
    organization,
    argument: (name) => asked.arguments.get(name) ?? "",
    // The client checks it against the contract before anything is sent.
    request: <Request>() => request as Request,
    keyed: { idempotencyKey: common.key ?? "" },
  };
  await print(command.run(input), common.limit);
}

/** The one that is named, or the only one that there is. */
async function organizationOf(client: AdminClient, name: string | undefined): Promise<OrganizationAdmin> {
  const wanted = name ?? process.env.CREDITGATE_ORGANIZATION;
  if (wanted !== undefined && wanted !== "") return client.organizationNamed(wanted);
  const all = await client.organizations.list();
  const [only] = all;
  if (only !== undefined && all.length === 1) return client.organization(only.organizationId);
  const names = all.map((one) => JSON.stringify(one.name)).join(", ");
  throw new ControlPlaneError(
    "config_invalid",
    all.length === 0
      ? "--organization: expected one, received none, and there is none at all: creditgate organizations create NAME makes one"
      : `--organization: expected one of ${names}, received none. CREDITGATE_ORGANIZATION stands for it`,
  );
}

async function print(
  result: Promise<unknown> | AsyncIterable<unknown>,
  limit = Number.POSITIVE_INFINITY,
): Promise<void> {
  if (!(Symbol.asyncIterator in result)) {
    await write(`${JSON.stringify(await result, null, 2)}\n`);
    return;
  }
  let left = limit;
  for await (const item of result) {
    await write(`${JSON.stringify(item)}\n`);
    left -= 1;
    if (left <= 0) return;
  }
}

async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, "drain");
}

/** A failure in a line, with what to do about it. */
function described(
  { title, command }: Asked & { readonly kind: "command" },
  error: Error & { readonly code: string; readonly status?: number | undefined },
): ControlPlaneError {
  const isInput = error.code === "invalid_option";
  const advice =
    error.status === 401
      ? ". CREDITGATE_ADMIN_TOKEN is to be the token of an administrator, without the name before it"
      : error.code === "not_sent"
        ? ". Is the service running, and --base-url right?"
        : "";
  const message = isInput ? asTyped(error.message, command) : error.message;
  return new ControlPlaneError(
    isInput ? "config_invalid" : "request_failed",
    `${title}: ${message}${advice}`,
  );
}

/** What the client says of a field of a request, said of the option that fills it. */
function asTyped(message: string, { options = {} }: Command): string {
  const [, field, rest = "", problem] =
    /^\w+: (\w+)(?:\.([^:]+))?: (?:Invalid (?:input|option): )?(.*)$/s.exec(message) ?? [];
  const flag = Object.keys(options).find((one) => options[one]?.field === field);
  if (flag === undefined) return message;
  return [`--${flag}`, rest, problem].filter((part) => part !== "").join(": ");
}

/** How to reach the service. */
interface Access {
  readonly baseUrl: string | undefined;
  readonly adminToken: string | undefined;
}

const tokenFile = ".creditgate/admin-token";

/** On a laptop the token of `creditgate serve` is in a file beside it. */
function readAccess(baseUrl: string | undefined): Access {
  const address = baseUrl ?? process.env.CREDITGATE_BASE_URL;
  const adminToken = process.env.CREDITGATE_ADMIN_TOKEN;
  if (adminToken !== undefined || !existsSync(tokenFile)) return { baseUrl: address, adminToken };
  return { baseUrl: address ?? "http://127.0.0.1:4000", adminToken: readFileSync(tokenFile, "utf8").trim() };
}

/** Which file: of which organisation, what of it, and of what. */
interface Wanted {
  readonly organizationId: string;
  readonly request: Readonly<Record<string, unknown>>;
  /** For the last parameter of the path. */
  readonly id?: string | undefined;
}

/**
 * Writes a file of the service to stdout while it comes in, as the service has written it: in JSON large amounts would
 * lose digits. Throws where it does not come in whole.
 */
async function writeFile(
  { baseUrl = "", adminToken = "" }: Access,
  { path }: Pick<Endpoint, "path">,
  { organizationId, request, id = "" }: Wanted,
): Promise<void> {
  const filter = Object.entries(request).map(([field, value]): [string, string] => [field, String(value)]);
  if (!path.includes("{organization_id}")) filter.push(["organization_id", organizationId]);
  const below = path.replace("{organization_id}", organizationId).replace(/\{\w+\}/, encodeURIComponent(id));
  const query = filter.length === 0 ? "" : `?${new URLSearchParams(filter)}`;
  const response = await fetch(`${baseUrl.replace(/\/+$/, "")}${below}${query}`, {
    headers: { authorization: `Bearer ${adminToken}` },
    redirect: "error",
  });
  if (response.status !== 200 || response.body === null) throw failed(response.status, await response.text());
  for await (const chunk of response.body) {
    if (!process.stdout.write(chunk)) await once(process.stdout, "drain");
  }
}

function failed(status: number, body: string): ControlPlaneError {
  let detail = body.slice(0, 200);
  try {
    const problem: unknown = JSON.parse(body);
    if (typeof problem === "object" && problem !== null && "detail" in problem)
      detail = String(problem.detail);
  } catch {
    // The message is printed as it is.
  }
  return new ControlPlaneError("request_failed", `${detail} (the service answered ${status})`);
}
