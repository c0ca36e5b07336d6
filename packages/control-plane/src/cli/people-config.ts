import { memberRoles } from "@creditgate/admin";
import type { JoinRule, OidcOptions } from "../people/open-id-connect.ts";
import type { PeopleOptions } from "../people/people.ts";
import { isLoopback, parsePublicUrl } from "../people/site.ts";
import { invalid, nonEmpty } from "./values.ts";

/** The options of how people sign in. */
export const peopleFlags = {
  "public-url": { type: "string" },
  "no-sign-in": { type: "boolean" },
  "oidc-issuer": { type: "string" },
  "oidc-client": { type: "string" },
  "oidc-name": { type: "string" },
  "oidc-join": { type: "string" },
} as const;

type Values = {
  readonly [Flag in keyof typeof peopleFlags]?: Flag extends "no-sign-in" ? boolean : string;
};

/** Reads how people sign in; `undefined` where no one shall. */
export function readPeople(values: Values, environment: NodeJS.ProcessEnv): PeopleOptions | undefined {
  const publicUrl = values["public-url"];
  if (publicUrl !== undefined) parsePublicUrl(publicUrl, "--public-url");
  const oidc = readOidc(values, environment.CREDITGATE_OIDC_CLIENT_SECRET || undefined);
  if (oidc !== undefined && publicUrl === undefined) {
    throw invalid("--public-url", "the URL to which the identity provider sends browsers back", "none");
  }
  return values["no-sign-in"] === true ? undefined : { publicUrl, oidc };
}

function readOidc(values: Values, clientSecret: string | undefined): OidcOptions | undefined {
  const { "oidc-issuer": issuer, "oidc-client": clientId, "oidc-name": name, "oidc-join": join } = values;
  if (issuer === undefined) {
    const alone = (["oidc-client", "oidc-name", "oidc-join"] as const).find(
      (flag) => values[flag] !== undefined,
    );
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
