import { audit } from "../audit/audit-log.ts";
import type { Database } from "../database/connection.ts";
import type { Answer } from "../endpoint/idempotency.ts";
import { Problem } from "../http/problem.ts";
import { type IdentityRefusal, signInByIdentity } from "../people/identity-sign-in.ts";
import type { OidcFlow, OpenIdConnect } from "../people/open-id-connect.ts";
import type { People } from "../people/people.ts";
import { endSession, startSession } from "../people/sessions.ts";
import { generateSecret, hashSecret, isSecret } from "../people/user-tokens.ts";
import { keepSession } from "./account.ts";
import type { AdminHandlers } from "./table.ts";

const flowSeconds = 10 * 60;

/** Passed by name in the address of the page, which has the text. */
type Refusal = IdentityRefusal | "failed" | "unavailable";

/** Signing in at an identity provider. The browser goes there and comes back, always to pages of ours. */
export function oidcHandlers(
  database: Database,
  { site, oidc, tokenNames }: People,
  onNotice: (line: string) => void,
) {
  const logRefusal = (error: unknown): undefined => {
    onNotice(`OpenID Connect: ${reasonOf(error)}`);
    return undefined;
  };
  const forget = site.keep("oidc", "", 0);
  const refuse = (refusal: Refusal) =>
    redirect(site.address(`/dashboard/sign-in?refused=${refusal}`), forget);

  return {
    async oidcStart({ at }) {
      const started = await requireProvider(oidc).begin().catch(logRefusal);
      if (started === undefined) return refuse("unavailable");
      const secret = generateSecret("cgf_");
      await keepFlow(database, secret, started.flow, at);
      return redirect(started.url.href, site.keep("oidc", secret, flowSeconds));
    },

    async oidcCallback({ at, query, visitor }) {
      const provider = requireProvider(oidc);
      // Only the browser that has begun it has the cookie, and a flow ends once.
      const flow = await takeFlow(database, visitor.cookie("oidc"), at);
      if (flow === undefined) return refuse("failed");
      const claims = await provider.finish(flow, query).catch(logRefusal);
      if (claims === undefined) return refuse("failed");
      const outcome = await database.transaction().execute(async (transaction) => {
        const user = await signInByIdentity(transaction, claims, provider.join, { at, tokenNames });
        if (typeof user === "string") return user;
        await endSession(transaction, { secret: visitor.cookie("session") });
        const who = { orgId: undefined, actor: `user:${user.email}` };
        const after = { by: claims.issuer, address: visitor.address ?? null };
        await audit(transaction, { ...who, action: "user.sign_in", subject: user.email, after }, at);
        return { secret: await startSession(transaction, user.user_id, at) };
      });
      if (typeof outcome === "string") return refuse(outcome);
      return redirect(site.address("/dashboard/"), keepSession(site, outcome.secret), forget);
    },
  } satisfies Partial<AdminHandlers>;
}

/** Where to is ours to say, or the provider's own: nothing that a request says is in it. */
function redirect(location: string, ...cookies: string[]): Answer {
  return { status: 302, body: "{}", headers: { location, "set-cookie": cookies } };
}

function requireProvider(oidc: OpenIdConnect | undefined): OpenIdConnect {
  if (oidc !== undefined) return oidc;
  throw new Problem(
    404,
    "identity_provider_unknown",
    "expected a server with --oidc-issuer, received one without",
  );
}

/** What the library says, and what the provider has said to it; neither has a secret in it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const said = typeof cause === "object" && cause !== null && "message" in cause ? ` (${cause.message})` : "";
  return `${error.message}${said}`;
}

async function keepFlow(database: Database, secret: string, flow: OidcFlow, at: Date): Promise<void> {
  await database.deleteFrom("oidc_flows").where("expires_at", "<=", at).execute();
  await database
    .insertInto("oidc_flows")
    .values({
      flow_hash: hashSecret(secret),
      state: flow.state,
      nonce: flow.nonce,
      code_verifier: flow.codeVerifier,
      expires_at: new Date(at.getTime() + flowSeconds * 1_000),
    })
    .execute();
}

async function takeFlow(
  database: Database,
  secret: string | undefined,
  at: Date,
): Promise<OidcFlow | undefined> {
  if (!isSecret(secret, "cgf_")) return undefined;
  const flow = await database
    .deleteFrom("oidc_flows")
    .where("flow_hash", "=", hashSecret(secret))
    .returningAll()
    .executeTakeFirst();
  if (flow === undefined || flow.expires_at <= at) return undefined;
  return { state: flow.state, nonce: flow.nonce, codeVerifier: flow.code_verifier };
}
