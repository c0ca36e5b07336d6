import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import process from "node:process";
import { type AdminClient, createAdminClient, type OrganizationAdmin } from "@creditgate/admin";
import { type Endpoint, isCreditgateError } from "@creditgate/client";
import { ControlPlaneError } from "../../errors/control-plane-error.ts";
import { type Asked, readArguments } from "./arguments.ts";
import { type Command, csvOf, fieldsOf } from "./command.ts";
import type { ResourceName } from "./resource-names.ts";

/** Runs `creditgate <resource> <action> …`; resolves with the exit code. Throws a `ControlPlaneError` for what cannot be done. */
export async function administer(resource: ResourceName, args: readonly string[]): Promise<number> {
  const asked = readArguments(resource, args);
  if (asked === undefined) return 0;
  try {
    await perform(asked);
    return 0;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EPIPE") return 0;
    throw isCreditgateError(error) ? described(asked, error) : error;
  }
}

async function perform({ command, parameters, request, common }: Asked): Promise<void> {
  const { endpoint, method } = command;
  const access = readAccess(common.baseUrl);
  const client = createAdminClient({ ...access, allowInsecure: common.allowInsecure });
  const organization = () => organizationOf(client, common.organization);
  const file = method === undefined ? endpoint : common.csv && csvOf(command);
  if (method === undefined || file) {
    const { organizationId } = await organization();
    await writeFile(access, file || endpoint, { organizationId, request, parameters });
    return;
  }
  const isBare = endpoint.query === undefined && endpoint.body === undefined;
  const input = [
    ...parameters,
    ...(isBare ? [] : [request]),
    ...(endpoint.keyed ? [{ idempotencyKey: common.key }] : []),
  ];
  // The client checks it against the contract before anything is sent.
  await print(await (await method({ client, organization }))(...(input as never[])), common.limit);
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

async function print(result: unknown, limit = Number.POSITIVE_INFINITY): Promise<void> {
  if (!isList(result)) {
    await write(`${JSON.stringify(result, null, 2)}\n`);
    return;
  }
  let left = limit;
  for await (const item of result) {
    await write(`${JSON.stringify(item)}\n`);
    left -= 1;
    if (left <= 0) return;
  }
}

function isList(result: unknown): result is AsyncIterable<unknown> | readonly unknown[] {
  return Array.isArray(result) || Symbol.asyncIterator in Object(result);
}

async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, "drain");
}

/** A failure in a line, with what to do about it. */
function described(
  { title, command }: Asked,
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
function asTyped(message: string, command: Command): string {
  const [, name, rest = "", problem] =
    /^\w+: (\w+)(?:\.([^:]+))?: (?:Invalid (?:input|option): )?(.*)$/s.exec(message) ?? [];
  const field = fieldsOf(command).find((one) => one.name === name);
  if (field === undefined) return message;
  return [`--${field.word}`, rest, problem].filter((part) => part !== "").join(": ");
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
  /** Of the path, in their order. */
  readonly parameters: readonly string[];
}

/**
 * Writes a file of the service to stdout while it comes in, as the service has written it: in JSON large amounts would
 * lose digits. Throws where it does not come in whole.
 */
async function writeFile(
  { baseUrl = "", adminToken = "" }: Access,
  { path }: Pick<Endpoint, "path">,
  { organizationId, request, parameters }: Wanted,
): Promise<void> {
  const filter = Object.entries(request).map(([field, value]): [string, string] => [field, String(value)]);
  if (!path.includes("{organizationId}")) filter.push(["organizationId", organizationId]);
  const values = parameters.values();
  const below = path
    .replace("{organizationId}", organizationId)
    .replaceAll(/\{\w+\}/g, () => encodeURIComponent(values.next().value ?? ""));
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
