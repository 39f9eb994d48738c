import type { Profile, TokenSet } from "next-auth";
import type { OAuthConfig, TokenEndpointHandler } from "next-auth/providers/oauth";
import { discoveryUrl } from "#lib/api/auth/discover-provider";
import { type OidcPerson, readOidcClaims } from "#lib/api/auth/oidc-claims";
import type { SignInRefusalCode } from "#lib/api/auth/sign-in-errors";
import { oidcSubject } from "#lib/domain/accounts/list-sign-in-services";
import { readSignInClock } from "#lib/domain/accounts/provider-logouts";
import { log } from "#lib/platform/config/log";
import type { OidcProvider } from "#lib/platform/config/oidc-provider-setting";

type TokenRequest = NonNullable<TokenEndpointHandler["request"]>;
type TokenContext = Parameters<TokenRequest>[0];
type Claims = Record<string, unknown>;

/**
 * next-auth answers every error of this step with one and the same code. A refusal is therefore a value: it passes
 * through next-auth in the place of the claims, and `admitProvider` reads it.
 */
interface OidcProfile extends Profile {
  refusal?: SignInRefusalCode;
  read?: Claims;
  idToken?: string | null;
  startedAt?: number;
}

/** What `admitProvider` reads from next-auth's user of an OpenID Connect provider. */
export type OidcSignIn = { refusal: SignInRefusalCode } | ProvenSignIn;

export interface ProvenSignIn {
  person: OidcPerson;
  idToken: string | null;
  /** The same as in `ProviderOrigin`. */
  startedAt: number;
}

/** Returns next-auth's configuration of an OpenID Connect provider. */
export function oidcSignIn(setting: OidcProvider, timeoutMs: number): OAuthConfig<OidcProfile> {
  const { name, label, issuer, client_id: clientId, client_secret: clientSecret, client_key: key, scopes } = setting;
  const method = key === undefined ? "none" : "private_key_jwt";
  return {
    id: name,
    name: label,
    type: "oauth",
    clientId,
    ...(clientSecret === undefined ? {} : { clientSecret }),
    client: {
      id_token_signed_response_alg: setting.id_token_alg,
      ...(clientSecret === undefined ? { token_endpoint_auth_method: method } : {}),
    },
    ...(key === undefined ? {} : { jwks: { keys: [key] } }),
    checks: ["state", "pkce", "nonce"],
    httpOptions: { timeout: timeoutMs },
    wellKnown: discoveryUrl(issuer),
    authorization: { params: { scope: scopes.join(" ") } },
    token: { request: async (context) => ({ tokens: (await exchangeCode(setting, context)) as TokenSet }) },
    userinfo: { request: ({ tokens }) => tokens as OidcProfile },
    profile: ({ refusal, read = {}, idToken = null, startedAt = 0 }) => {
      // next-auth refuses a user without an id before it asks anyone.
      if (refusal !== undefined) return { id: "refused", oidc: { refusal } };
      const person = readOidcClaims(setting, read);
      if (person.sub === null) return { id: "refused", oidc: { refusal: "claimMissing:sub" } };
      return {
        id: oidcSubject(issuer, person.sub),
        name: person.name,
        email: person.verifiedEmail,
        oidc: { person, idToken, startedAt },
      };
    },
  };
}

/** Exchanges the code for tokens and checks the ID token, or returns why not. */
async function exchangeCode(setting: OidcProvider, context: TokenContext): Promise<OidcProfile> {
  const { client, provider, params, checks } = context;
  const refuse = (refusal: SignInRefusalCode, cause?: unknown) => {
    log.warn({ err: cause, provider: setting.name, refusal }, "sign-in with OpenID Connect was refused");
    return { refusal };
  };
  const discovered = client.issuer.metadata;
  if (discovered.issuer !== setting.issuer) return refuse("wrongIssuer");
  if (params.state !== checks.state) return refuse("expired");
  // RFC 9207: a provider that an attacker chose must not pass its code off as another provider's.
  const mustNameIssuer = discovered.authorization_response_iss_parameter_supported === true;
  if (params.iss === undefined ? mustNameIssuer : params.iss !== setting.issuer) return refuse("wrongIssuer");
  // Before the provider answers: a logout that arrives after its answer ends this sign-in, too.
  const startedAt = await readSignInClock();
  try {
    const tokens = await client.callback(provider.callbackUrl, params, checks);
    // The library compares its subject with the one of the ID token.
    const more = setting.reads_userinfo ? await client.userinfo(tokens) : {};
    return { read: { ...more, ...tokens.claims() }, idToken: hintOf(tokens.id_token), startedAt };
  } catch (error) {
    const nonce = "nonce" in checks ? checks.nonce : undefined;
    return refuse(refusalOf(error, { issuer: setting.issuer, clientId: setting.client_id, nonce }), error);
  }
}

/** Returns the ID token if it fits into the address of a sign-out. Keycloak's server reads 4,096 characters of one. */
function hintOf(idToken = ""): string | null {
  return idToken === "" || idToken.length > 3_000 ? null : idToken;
}

interface Expected {
  issuer: string;
  clientId: string;
  nonce: string | undefined;
}

/**
 * Finds out why the exchange failed, from the token itself: the library's error only has a message. The order is the
 * one in which the library checks.
 */
function refusalOf(error: unknown, { issuer, clientId, nonce }: Expected): SignInRefusalCode {
  const { jwt, error: answer } = error as { jwt?: unknown; error?: unknown };
  if (typeof jwt !== "string") {
    if (typeof answer === "string") return "clientRefused";
    // The library reads an ID token that is not there. A request that fails throws errors of other kinds.
    return error instanceof TypeError ? "invalidToken" : "unreachable";
  }
  const claims = decodeClaims(jwt);
  if (claims === null) return "invalidToken";
  const now = Date.now() / 1_000;
  if (claims.iss !== issuer) return "wrongIssuer";
  if (Number(claims.iat) > now || Number(claims.exp) <= now) return "tokenExpired";
  if (![claims.aud].flat().includes(clientId)) return "wrongAudience";
  return claims.nonce === nonce ? "invalidToken" : "wrongNonce";
}

function decodeClaims(jwt: string): Claims | null {
  try {
    return JSON.parse(Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString("utf8")) as Claims;
  } catch {
    return null;
  }
}
