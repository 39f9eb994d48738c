import { createSign, generateKeyPairSync, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Provider, { type Configuration, type JWK } from "oidc-provider";

/** The claims of the person who is signed in at the provider. */
export interface OpenidTestPerson {
  sub: string;
  name: string;
  email?: string;
  email_verified?: boolean;
  groups?: string[];
  [claim: string]: unknown;
}

interface TestClient {
  id: string;
  secret?: string;
  /** The public key of a client that authenticates by private_key_jwt. */
  publicKey?: JWK;
}

export type OpenidTestProvider = Awaited<ReturnType<typeof startOpenidProvider>>;

/**
 * Starts a certified OpenID provider on real HTTP for tests. Everyone is signed in as `person` and consents at once.
 * @param base the application's address
 * @param names the names of the provider's settings, which are part of the redirect addresses
 */
export async function startOpenidProvider(base: string, names: readonly string[], clients: readonly TestClient[]) {
  const server = createServer((request, response) => test.answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const provider = new Provider(url, configurationOf());
  const callback = provider.callback();
  // Cookies and addresses belong to this machine, which has only http.
  provider.on("server_error", (_context, error) => test.errors.push(error.message));
  provider.on("backchannel.error", (_context, error) => test.errors.push(error.message));

  const test = {
    url,
    /** Signs a logout token that the provider would not send itself. */
    sign: (claims: object, header: object = {}) => {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
      const signed = `${part({ alg: "RS256", kid: "k1", ...header })}.${part(claims)}`;
      return `${signed}.${createSign("RSA-SHA256").update(signed).sign(privateKey, "base64url")}`;
    },
    person: {
      sub: "1",
      name: "Ann Lee",
      email: "ann@example.com",
      email_verified: true,
      groups: [],
    } as OpenidTestPerson,
    /** Extra claims of the sign-in, such as `acr`. */
    errors: [] as string[],
    /** Answers a request in place of the provider, to break one part of a sign-in. */
    intercept: null as ((request: IncomingMessage, response: ServerResponse) => boolean) | null,
    answer: (request: IncomingMessage, response: ServerResponse) => {
      if (test.intercept?.(request, response)) return;
      void (request.url?.startsWith("/interaction/") ? agree(request, response) : callback(request, response));
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };

  /** Signs the person in and grants what the client requests. */
  async function agree(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { prompt, params, session } = await provider.interactionDetails(request, response);
    if (prompt.name === "login") {
      const login = {
        accountId: test.person.sub,
        ...(typeof test.person.amr === "object" ? { amr: ["pwd", "mfa"] } : {}),
      };
      await provider.interactionFinished(request, response, { login }, { mergeWithLastSubmission: false });
      return;
    }
    const grant = new provider.Grant({ accountId: session?.accountId ?? "", clientId: String(params.client_id) });
    grant.addOIDCScope(String(params.scope));
    const consent = { grantId: await grant.save() };
    await provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true });
  }

  function configurationOf(): Configuration {
    const key = privateKey.export({ format: "jwk" });
    return {
      jwks: { keys: [{ ...(key as JWK), kid: "k1", alg: "RS256", use: "sig" }] },
      cookies: { keys: [randomBytes(16).toString("hex")] },
      clients: clients.map(({ id, secret, publicKey }) => ({
        client_id: id,
        ...(secret === undefined ? {} : { client_secret: secret }),
        ...(publicKey === undefined ? {} : { jwks: { keys: [publicKey] } }),
        token_endpoint_auth_method:
          secret !== undefined ? "client_secret_basic" : publicKey === undefined ? "none" : "private_key_jwt",
        redirect_uris: names.map((name) => `${base}/api/auth/callback/${name}`),
        post_logout_redirect_uris: [`${base}/api/sso/signed-out`],
        response_types: ["code"],
        grant_types: ["authorization_code"],
        backchannel_logout_uri: `${base}/api/sso/logout/${names[0]}`,
        backchannel_logout_session_required: true,
      })),
      claims: {
        openid: ["sub", "sid", "amr"],
        email: ["email", "email_verified"],
        profile: ["name", "groups", "hasgroups"],
      },
      // Puts the groups into the ID token, as most providers do.
      conformIdTokenClaims: false,
      features: {
        devInteractions: { enabled: false },
        backchannelLogout: { enabled: true },
        rpInitiatedLogout: { enabled: true },
      },
      interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
      findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...test.person, sub }) }),
      // Drops the provider's dispatcher, which refuses this machine.
      fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined } as RequestInit),
      pkce: { required: () => true },
      ttl: { Session: 3_600, Interaction: 600, Grant: 600, IdToken: 600, AccessToken: 600 },
    };
  }
  return test;
}
