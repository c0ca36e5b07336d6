import { memberRoles } from "@creditgate/admin";
import type { JoinRule, OidcOptions } from "../people/open-id-connect.ts";
import type { PeopleOptions } from "../people/people.ts";
import { isLoopback, parsePublicUrl } from "../people/site.ts";
import { invalid, nonEmpty } from "./values.ts";

/** The options of how people sign in. */
export const peopleOptions = {
  "--public-url <URL>":
    "where browsers find the control plane: https, or http on this machine (as listened on)",
  "--no-sign-in": "only admin tokens open /admin/api",
  "--oidc-issuer <URL>": "an identity provider (OpenID Connect) beside passwords",
  "--oidc-client <ID>": "its client id; the secret is in CREDITGATE_OIDC_CLIENT_SECRET",
  "--oidc-name <NAME>": "what it is called on the page (its host)",
  "--oidc-join <RULES>":
    "who joins uninvited, by verified e-mail, as example.com=Acme:read+money,... (no one)",
};

type Values = Readonly<Record<string, string | undefined>>;

/** Reads how people sign in. */
export function readPeople(values: Values, environment: NodeJS.ProcessEnv): PeopleOptions {
  const { publicUrl } = values;
  if (publicUrl !== undefined) parsePublicUrl(publicUrl, "--public-url");
  const oidc = readOidc(values, environment.CREDITGATE_OIDC_CLIENT_SECRET || undefined);
  if (oidc !== undefined && publicUrl === undefined) {
    throw invalid("--public-url", "the URL to which the identity provider sends browsers back", "none");
  }
  return { publicUrl, oidc };
}

function readOidc(values: Values, clientSecret: string | undefined): OidcOptions | undefined {
  const { oidcIssuer: issuer, oidcClient: clientId, oidcName: name, oidcJoin: join } = values;
  if (issuer === undefined) {
    const others = { "oidc-client": clientId, "oidc-name": name, "oidc-join": join };
    const alone = Object.entries(others).find(([, text]) => text !== undefined)?.[0];
    if (alone !== undefined) throw invalid("--oidc-issuer", `the issuer that --${alone} belongs to`, "none");
    return undefined;
  }
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  if (url?.protocol !== "https:" && !(url?.protocol === "http:" && isLoopback(url.hostname))) {
    throw invalid("--oidc-issuer", "a URL by https, as the provider names itself", issuer);
  }
  if (clientId === undefined) throw invalid("--oidc-client", "the client id at the provider", "none");
  return {
    issuer,
    clientId: nonEmpty("--oidc-client", clientId),
    clientSecret,
    name,
    join: join === undefined ? [] : join.split(",").map(readRule),
  };
}

/** `example.com=Acme:read+money`. */
function readRule(text: string): JoinRule {
  const [, domain = "", organization = "", names = ""] = /^\s*([^\s=@]+)=(.+):([^:]+)$/.exec(text) ?? [];
  const asked = names.split("+").map((name) => name.trim());
  const roles = memberRoles.filter((role) => asked.includes(role));
  if (domain !== "" && roles.length === asked.length) {
    return { domain: domain.toLowerCase(), organization, roles };
  }
  throw invalid(
    "--oidc-join",
    `rules as example.com=Acme:read+money, with commas between them, of ${memberRoles.join(", ")}`,
    text,
  );
}
