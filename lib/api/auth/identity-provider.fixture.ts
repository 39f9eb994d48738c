import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto";
import { type HttpTestServer, startHttp } from "#lib/api/testing/http.fixture";

export const IDENTITY_CLIENT = { id: "signalbox", secret: "a secret of the application" };

/** The account that is signed in at the other service. */
interface TestPerson {
  id: number;
  name: string;
  email: string;
  isVerified: boolean;
}

const KEY_ID = "k1";
const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });

/**
 * For tests: GitHub and Google in one server, on real HTTP. Each code works once, with the secret and the PKCE
 * verifier.
 */
export async function startIdentityProvider() {
  const codes = new Map<string, URLSearchParams>();
  const provider = {
    url: "",
    person: { id: 1, name: "Ann Lee", email: "ann@example.com", isVerified: true } as TestPerson,
    close: () => Promise.resolve(),
  };
  const answers: Record<string, (request: Request, url: URL) => Response | Promise<Response>> = {
    "/login/oauth/authorize": agree,
    "/login/oauth/access_token": token,
    "/api/v3/user": (request) =>
      whenKnown(request, { id: provider.person.id, login: "ann", name: provider.person.name }),
    "/api/v3/user/emails": (request) =>
      whenKnown(request, [
        { email: "another@example.com", primary: false, verified: true },
        { email: provider.person.email, primary: true, verified: provider.person.isVerified },
      ]),
    "/.well-known/openid-configuration": discovery,
    "/keys": () => Response.json({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: KEY_ID, alg: "RS256" }] }),
  };
  const server: HttpTestServer = await startHttp(async (request) => {
    const url = new URL(request.url);
    return answers[url.pathname]?.(request, url) ?? new Response(null, { status: 404 });
  });
  provider.url = server.url;
  provider.close = () => server.close();

  /** Consents at once, in place of the user. */
  function agree(_request: Request, { searchParams }: URL): Response {
    const code = randomBytes(8).toString("hex");
    codes.set(code, searchParams);
    const back = new URL(searchParams.get("redirect_uri") ?? "");
    back.search = new URLSearchParams({ code, state: searchParams.get("state") ?? "" }).toString();
    return new Response(null, { status: 302, headers: { location: back.toString() } });
  }

  async function token(request: Request): Promise<Response> {
    const sent = new URLSearchParams(await request.text());
    const asked = codes.get(sent.get("code") ?? "");
    codes.delete(sent.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(sent.get("code_verifier") ?? "")
      .digest("base64url");
    const basic = `Basic ${Buffer.from(`${IDENTITY_CLIENT.id}:${encodeURIComponent(IDENTITY_CLIENT.secret).replaceAll("%20", "+")}`).toString("base64")}`;
    const isRight = asked?.get("code_challenge") === challenge && request.headers.get("authorization") === basic;
    if (!isRight) return Response.json({ error: "invalid_grant" }, { status: 400 });
    const granted = { access_token: "at-1", token_type: "bearer" };
    const isOpenId = asked.get("scope")?.startsWith("openid");
    return Response.json(isOpenId ? { ...granted, id_token: idToken(asked.get("nonce")) } : granted);
  }

  function idToken(nonce: string | null): string {
    const { id, name, email, isVerified } = provider.person;
    const now = Math.floor(Date.now() / 1_000);
    const times = { iat: now, exp: now + 300 };
    const claims = {
      iss: provider.url,
      aud: IDENTITY_CLIENT.id,
      sub: `g${id}`,
      name,
      email,
      email_verified: isVerified,
      nonce,
    };
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const signed = `${part({ alg: "RS256", kid: KEY_ID })}.${part({ ...claims, ...times })}`;
    return `${signed}.${createSign("RSA-SHA256").update(signed).sign(privateKey, "base64url")}`;
  }

  function discovery(): Response {
    return Response.json({
      issuer: provider.url,
      authorization_endpoint: `${provider.url}/login/oauth/authorize`,
      token_endpoint: `${provider.url}/login/oauth/access_token`,
      jwks_uri: `${provider.url}/keys`,
    });
  }
  return provider;
}

function whenKnown(request: Request, body: unknown): Response {
  const isKnown = request.headers.get("authorization") === "Bearer at-1";
  return isKnown ? Response.json(body) : new Response(null, { status: 401 });
}
