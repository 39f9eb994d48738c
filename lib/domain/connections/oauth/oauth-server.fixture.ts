import { createHash, randomBytes } from "node:crypto";
import {
  startVendor,
  type TestVendor,
  type VendorAnswer,
  type VendorRequest,
} from "#lib/connectors/sdk/vendor.fixture";

export const OAUTH_CLIENT = { id: "client-1", secret: "canary-client-secret-77" };

/** An authorization server (RFC 6749, 7636) and the API that accepts its tokens. */
export interface TestAuthorizationServer extends TestVendor {
  /** The lifetime of new tokens in seconds. Null omits it from the answer. */
  expiresIn: number | null;
  /** Changes the answers that grant a token. */
  answerAs: ((granted: Record<string, unknown>) => VendorAnswer) | null;
  /** Answers a call of the API with a token that has ended, 401 by default. */
  expired: VendorAnswer;
  /** Revokes every access token before it expires. */
  endTokens(): void;
  /** Revokes the person's consent. */
  revoke(): void;
  /** Returns the requests to the token endpoint, by grant_type. */
  grants(type: string): VendorRequest[];
}

/** For tests: starts an authorization server. A refresh token can be used once, as RFC 9700 recommends. */
export async function startAuthorizationServer(): Promise<TestAuthorizationServer> {
  const codes = new Map<string, { challenge: string | null; redirectUri: string }>();
  let access = new Set<string>();
  let refresh = new Set<string>();
  const server: TestAuthorizationServer = Object.assign(await startVendor(answer), {
    expiresIn: 3_600,
    answerAs: null,
    expired: { status: 401, json: { error: "token is not valid" } },
    endTokens: () => {
      access = new Set();
    },
    revoke: () => {
      access = new Set();
      refresh = new Set();
    },
    grants: (type: string) =>
      server.requests.filter(({ path, form }) => path === "/token" && form.get("grant_type") === type),
  });

  function answer(request: VendorRequest): VendorAnswer | null {
    if (request.path === "/authorize") return authorize(request);
    if (request.path === "/token") return token(request);
    if (request.path !== "/api") return null;
    const given = request.headers.authorization?.replace("Bearer ", "") ?? "";
    return access.has(given) ? { json: { ok: true } } : server.expired;
  }

  /** Consents at once, in place of the person. */
  function authorize({ query }: VendorRequest): VendorAnswer {
    const redirectUri = query.get("redirect_uri") ?? "";
    if (query.get("client_id") !== OAUTH_CLIENT.id) return { status: 400, text: "unknown client" };
    const code = randomBytes(8).toString("hex");
    codes.set(code, { challenge: query.get("code_challenge"), redirectUri });
    const location = new URL(redirectUri);
    location.searchParams.set("code", code);
    location.searchParams.set("state", query.get("state") ?? "");
    return { status: 302, headers: { location: location.href } };
  }

  function token({ headers, form }: VendorRequest): VendorAnswer {
    const basic = Buffer.from(`${OAUTH_CLIENT.id}:${OAUTH_CLIENT.secret}`).toString("base64");
    if (headers.authorization !== `Basic ${basic}`) return { status: 401, json: { error: "invalid_client" } };
    switch (form.get("grant_type")) {
      case "client_credentials":
        return grant(false);
      case "refresh_token":
        return refresh.delete(form.get("refresh_token") ?? "") ? grant(true) : invalidGrant;
      default: {
        const code = codes.get(form.get("code") ?? "");
        codes.delete(form.get("code") ?? "");
        const challenge = createHash("sha256")
          .update(form.get("code_verifier") ?? "")
          .digest("base64url");
        const isValid = code && code.challenge === challenge && code.redirectUri === form.get("redirect_uri");
        return isValid ? grant(true) : invalidGrant;
      }
    }
  }

  function grant(isRenewable: boolean): VendorAnswer {
    const [accessToken, refreshToken] = [
      `at-${randomBytes(12).toString("hex")}`,
      `rt-${randomBytes(12).toString("hex")}`,
    ];
    access.add(accessToken);
    if (isRenewable) refresh.add(refreshToken);
    const { expiresIn } = server;
    const granted = {
      access_token: accessToken,
      token_type: "Bearer",
      ...(expiresIn === null ? {} : { expires_in: expiresIn }),
      ...(isRenewable ? { refresh_token: refreshToken } : {}),
    };
    return server.answerAs?.(granted) ?? { json: granted };
  }
  return server;
}

const invalidGrant: VendorAnswer = {
  status: 400,
  json: { error: "invalid_grant", error_description: "it was used or revoked" },
};
