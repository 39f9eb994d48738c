import type { IncomingMessage, ServerResponse } from "node:http";
import { decodeJwt } from "jose";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { type AuthServer, Browser, startAuth } from "#lib/api/auth/auth-browser.fixture";
import { signUpInput } from "#lib/contract/account/person-inputs";
import { signUp } from "#lib/domain/accounts/sign-up";
import { createInvite } from "#lib/domain/workspaces/invites/create-invite";
import { env } from "#lib/platform/config/env";
import { oidcProvidersSchema } from "#lib/platform/config/oidc-provider-setting";
import { emptyTables } from "#lib/platform/db/test-database";
import {
  type OpenidTestPerson,
  type OpenidTestProvider,
  startOpenidProvider,
} from "#scripts/testing/openid-provider.fixture";

export const PASSWORD = "right password";
export const CLIENT_SECRET = "a secret of the application, long enough";

type Clients = Parameters<typeof startOpenidProvider>[2];
type Claims = Record<string, unknown>;

interface OidcStage {
  provider: OpenidTestProvider;
  auth: AuthServer;
  owner: { userId: string; workspaceId: string };
  /** A new browser for each test. No one is signed in. */
  browser: Browser;
  /** Sets the provider up, with changes to its setting. */
  setProvider(changes?: object): void;
  invite(email: string): Promise<unknown>;
  /** Signs in at the provider; returns the error that the sign-in page shows, or null. */
  refusalOf(service?: string): Promise<string | null>;
}

const ANN: OpenidTestPerson = { sub: "1", name: "Ann Lee", email: "ann@example.com", email_verified: true };

/**
 * For tests: an OpenID provider, an instance with the workspace of `owner`, and an invite for the person at the provider.
 * @param names the names of the settings that the provider returns to
 * @param clients more clients than `with-secret`
 */
export function useOidcStage(names: readonly string[] = ["company"], clients: Clients = []): OidcStage {
  const stage = { setProvider, invite, refusalOf } as OidcStage;

  beforeAll(async () => {
    stage.auth = await startAuth();
    const all = [{ id: "with-secret", secret: CLIENT_SECRET }, ...clients];
    stage.provider = await startOpenidProvider(stage.auth.url, names, all);
  });
  afterAll(() => {
    stage.provider.close();
    stage.auth.close();
  });
  beforeEach(async () => {
    env().ALLOW_SIGNUP = false;
    Object.assign(stage.provider, { intercept: null, person: { ...ANN } });
    setProvider();
    await emptyTables("users", "workspaces", "sign_in_attempts", "used_sign_in_tokens");
    stage.owner = await signUp(signUpInput.parse({ name: "Owner", email: "owner@example.com", password: PASSWORD }));
    await invite("ann@example.com");
    stage.browser = new Browser(stage.auth.url);
  });

  function setProvider(changes: object = {}): void {
    const setting = {
      name: "company",
      label: "Company",
      issuer: stage.provider.url,
      client_id: "with-secret",
      client_secret: CLIENT_SECRET,
      ...changes,
    };
    env().OIDC_PROVIDERS = oidcProvidersSchema.parse([setting]);
  }
  function invite(email: string) {
    const { workspaceId, userId } = stage.owner;
    const actor = { type: "user" as const, id: userId, name: "Owner" };
    return createInvite({ workspaceId, actor, actorUserId: userId, email, role: "editor" });
  }
  async function refusalOf(service = "company") {
    return (await stage.browser.signInAt(service)).searchParams.get("error");
  }
  return stage;
}

/** For tests: changes a JSON answer of the provider. */
export function changeAnswer(
  provider: OpenidTestProvider,
  path: string,
  change: (body: Claims) => object | Promise<object>,
): void {
  provider.intercept = (request, response) => {
    if (request.url !== path) return false;
    void answerOf(provider, request).then(async (body) => sendJson(response, await change(body)));
    return true;
  };
}

/**
 * For tests: puts another ID token in the place of the provider's.
 * @param write gets the claims of the right one; returns undefined for an answer without an ID token
 */
export function replaceIdToken(provider: OpenidTestProvider, write: (claims: Claims) => string | undefined): void {
  changeAnswer(provider, "/token", (answer) => ({ ...answer, id_token: write(decodeJwt(String(answer.id_token))) }));
}

/** Asks the provider itself for what a request asks. */
async function answerOf(provider: OpenidTestProvider, request: IncomingMessage): Promise<Claims> {
  let body = "";
  for await (const chunk of request) body += chunk;
  const held = provider.intercept;
  provider.intercept = null;
  const { host: _host, connection: _connection, "content-length": _length, ...headers } = request.headers;
  const sent = body === "" ? {} : { method: "POST", body };
  const answer = await fetch(provider.url + request.url, { headers: headers as Record<string, string>, ...sent });
  provider.intercept = held;
  return (await answer.json()) as Claims;
}

function sendJson(response: ServerResponse, body: object): void {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(body));
}
