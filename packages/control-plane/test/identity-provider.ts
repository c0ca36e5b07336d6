import { createHash, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What the provider says of the one who signs in next; a test may make it say what is wrong. */
interface Identity {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
}

/** An identity provider in which everybody is who the test says, at once. */
export interface IdentityProvider {
  readonly issuer: string;
  next: Identity;
  /** Changes what the next ID token says. */
  tamper: (claims: Record<string, unknown>) => Record<string, unknown>;
  /** Whether the token has the signature of another key. */
  signsWrong: boolean;
  stop(): Promise<void>;
}

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

interface Grant {
  readonly identity: Identity;
  readonly nonce: string;
  readonly challenge: string;
  readonly redirectUri: string;
}

/** The authorization code flow of OpenID Connect with PKCE, for one client: `creditgate`, secret `its secret`. */
export async function startIdentityProvider(): Promise<IdentityProvider> {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const other = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const grants = new Map<string, Grant>();
  let issuer = "";

  const idToken = ({ identity, nonce }: Grant): string => {
    const now = Math.floor(Date.now() / 1_000);
    const claims = { iss: issuer, aud: "creditgate", iat: now, exp: now + 60, nonce, ...identity };
    const signed = `${base64url({ alg: "RS256", kid: "1" })}.${base64url(provider.tamper(claims))}`;
    const key = provider.signsWrong ? other.privateKey : privateKey;
    return `${signed}.${sign("RSA-SHA256", Buffer.from(signed), key).toString("base64url")}`;
  };

  const exchange = (body: URLSearchParams): object | undefined => {
    const grant = grants.get(body.get("code") ?? "");
    grants.delete(body.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(body.get("code_verifier") ?? "")
      .digest("base64url");
    const isRight =
      grant !== undefined &&
      grant.challenge === challenge &&
      grant.redirectUri === body.get("redirect_uri") &&
      body.get("client_id") === "creditgate" &&
      body.get("client_secret") === "its secret";
    if (!isRight) return undefined;
    return { access_token: randomUUID(), token_type: "Bearer", expires_in: 60, id_token: idToken(grant) };
  };

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", issuer);
    const send = (status: number, body: object): void => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    if (url.pathname === "/.well-known/openid-configuration") {
      send(200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256"],
      });
    } else if (url.pathname === "/keys") {
      send(200, { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "1", alg: "RS256", use: "sig" }] });
    } else if (url.pathname === "/authorize") {
      const code = randomUUID();
      const parameter = (name: string) => url.searchParams.get(name) ?? "";
      const redirectUri = parameter("redirect_uri");
      if (parameter("code_challenge_method") !== "S256") return send(400, { error: "invalid_request" });
      grants.set(code, {
        identity: provider.next,
        nonce: parameter("nonce"),
        challenge: parameter("code_challenge"),
        redirectUri,
      });
      const back = new URL(redirectUri);
      back.search = new URLSearchParams({ code, state: parameter("state") }).toString();
      response.writeHead(302, { location: back.href }).end();
    } else if (url.pathname === "/token") {
      let body = "";
      for await (const chunk of request) body += chunk;
      const tokens = exchange(new URLSearchParams(body));
      send(tokens === undefined ? 400 : 200, tokens ?? { error: "invalid_grant" });
    } else send(404, {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: IdentityProvider = {
    issuer,
    next: { sub: "nobody" },
    tamper: (claims) => claims,
    signsWrong: false,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return provider;
}
