import "next/dist/server/node-environment-baseline.js";
import { type WorkStore, workAsyncStorage } from "next/dist/server/app-render/work-async-storage.external.js";
import {
  type WorkUnitStore,
  workUnitAsyncStorage,
} from "next/dist/server/app-render/work-unit-async-storage.external.js";
import { NextRequest } from "next/server";
import { beforeEach, expect, test, vi } from "vitest";
import { CLIENT_ADDRESS_HEADER } from "#lib/api/admission/client-address";
import { authRoute } from "#lib/api/auth/auth-route";
import { env } from "#lib/platform/config/env";
import { oidcProvidersSchema } from "#lib/platform/config/oidc-provider-setting";

beforeEach(() => {
  vi.stubEnv("NEXTAUTH_URL", env().PUBLIC_BASE_URL);
  const setting = { name: "company", label: "Company", issuer: "https://id.example.com", client_id: "signalbox" };
  env().OIDC_PROVIDERS = oidcProvidersSchema.parse([setting]);
});

async function answerTo(query: string): Promise<Response> {
  const url = `${env().PUBLIC_BASE_URL}/api/auth/callback/company?${query}`;
  return authRoute(new NextRequest(url), { params: Promise.resolve({ nextauth: ["callback", "company"] }) });
}

let requests = 0;

/** Asks for a path below /api/auth, in the scope that Next.js gives to a route. Each request has another source. */
function ask(
  method: string,
  path: string,
  body: string | null = null,
  type: string | null = "application/json",
  cookie = "",
): Promise<Response> {
  requests += 1;
  const headers = {
    [CLIENT_ADDRESS_HEADER]: `10.0.${requests >> 8}.${requests & 255}`,
    ...(body === null || type === null ? {} : { "content-type": type }),
    cookie,
  };
  const bytes = body === null ? null : new TextEncoder().encode(body);
  const request = new NextRequest(`${env().PUBLIC_BASE_URL}/api/auth/${path}`, { method, body: bytes, headers });
  const nextauth = (path.split("?")[0] ?? "").split("/").map(decodeURIComponent);
  const scope = { type: "request", phase: "render", headers: request.headers, cookies: request.cookies };
  return workAsyncStorage.run({ route: "/api/auth/[...nextauth]" } as WorkStore, () =>
    workUnitAsyncStorage.run(scope as unknown as WorkUnitStore, () =>
      authRoute(request, { params: Promise.resolve({ nextauth }) }),
    ),
  );
}

const PATHS = [
  ...[
    "signin",
    "signin/credentials",
    "signin/company",
    "signin/unknown",
    "signin/__proto__",
    "signin?callbackUrl=%0d%0a",
  ],
  ...[
    "signin?error=a%0d%0ab",
    "signout",
    "session",
    "session/x",
    "csrf",
    "csrf?csrfToken=1",
    "providers",
    "verify-request",
  ],
  ...["callback", "callback/credentials", "callback/passkey", "callback/second-factor", "callback/unknown"],
  ...["callback/constructor", "callback/company", "callback/company?code=a&state=b", "error", "error/OAuthSignin"],
  ...["error?error=AccessDenied", "error?error=a%0d%0ab", "error?error=%E2%82%AC", "error/%E2%82%AC", "error?error="],
  ...["_log", "x", "x/y", "__proto__", "constructor"],
];
const BODIES = [
  ...["", "{", "{}", "[]", "null", "1", '"a"', "a=b&a=c", '{"csrfToken":{"a":1}}', '{"csrfToken":1,"json":"true"}'],
  ...[
    '{"callbackUrl":{"a":1}}',
    '{"callbackUrl":1}',
    '{"callbackUrl":null}',
    '{"callbackUrl":"/\\r\\na"}',
    '{"json":"true"}',
  ],
  ...[
    '{"__proto__":{"callbackUrl":1}}',
    "callbackUrl=%ff&json=true",
    "callbackUrl=%0d%0a",
    "csrfToken=x&json=true",
    "\u0000",
  ],
];
const COOKIES = ["=;;;", "next-auth.callback-url=%%%", "next-auth.csrf-token=x", "signalbox.session=a.b.c"];
const TYPES = [
  null,
  ...["application/json", "application/json; charset=utf-16", "application/x-www-form-urlencoded", "text/plain"],
  ...["multipart/form-data", "multipart/form-data; boundary=x", "x"],
];

test.each(PATHS)("no request to /api/auth/%s ends as an error of the server, or without a reason", async (path) => {
  const faults: string[] = [];
  const check = async (request: string, response: Response) => {
    const text = await response.text();
    const isExplained = response.status < 400 || /"code":"[A-Z_]+"|^\{"url":/.test(text);
    if (response.status >= 500 || !isExplained) faults.push(`${request}: ${response.status} ${text}`);
  };
  for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
    await check(method, await ask(method, path));
  }
  for (const cookie of COOKIES) {
    for (const method of ["GET", "POST"])
      await check(`${method} with ${cookie}`, await ask(method, path, null, null, cookie));
  }
  for (const body of BODIES) {
    for (const type of TYPES) await check(`${body} as ${type}`, await ask("POST", path, body, type));
  }
  expect(faults).toEqual([]);
});

test.each(["credentials", "passkey", "second-factor"])("what %s checks can only be sent", async (service) => {
  for (const method of ["GET", "HEAD", "PUT", "OPTIONS"]) {
    const answer = await ask(method, `callback/${service}`);
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
    expect(await answer.json()).toMatchObject({ code: "METHOD_NOT_ALLOWED" });
  }
});

test.each([
  ["PUT", "session", "GET, HEAD, POST"],
  ["POST", "csrf", "GET, HEAD"],
  ["POST", "providers", "GET, HEAD"],
  ["HEAD", "callback/company", "GET, POST"],
])("%s of %s names the methods that the path supports", async (method, path, allow) => {
  const answer = await ask(method, path);
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, allow]);
});

test.each(["x", "_log", "callback", "callback/unknown", "__proto__"])(
  "%s is no page, with any method",
  async (path) => {
    for (const method of ["GET", "POST", "PUT"]) {
      const answer = await ask(method, path);
      expect([answer.status, await answer.json()]).toMatchObject([404, { code: "NOT_FOUND" }]);
    }
  },
);

test("HEAD answers like GET", async () => {
  for (const path of ["session", "csrf", "providers"]) expect((await ask("HEAD", path)).status).toBe(200);
  const [head, get] = [await ask("HEAD", "signin"), await ask("GET", "signin")];
  expect([head.status, head.headers.get("location")]).toEqual([302, get.headers.get("location")]);
});

test("an error page whose reason no header can hold leads to the sign-in page", async () => {
  const answer = await ask("GET", "error?error=a%0d%0ab");
  expect([answer.status, answer.headers.get("location")]).toEqual([302, "/sign-in?error=SignInFailed"]);
  expect((await ask("GET", "error?error=AccessDenied")).headers.get("location")).toBe("/sign-in?error=AccessDenied");
});

test.each([
  ["access_denied", "ProviderDeniedAccess"],
  ["invalid_scope", "ProviderRefusedRequest:invalid_scope"],
  ["x".repeat(500), `ProviderRefusedRequest:${"x".repeat(60)}`],
])("a provider that answers with the error %s leads to a page that says why", async (error, code) => {
  const answer = await answerTo(
    new URLSearchParams({ error, error_description: "Call 555-0100", state: "s" }).toString(),
  );
  expect([answer.status, answer.headers.get("cache-control")]).toEqual([302, "no-store"]);
  const location = new URL(answer.headers.get("location") ?? "", env().PUBLIC_BASE_URL);
  expect([location.pathname, ...location.searchParams]).toEqual(["/sign-in", ["error", code]]);
});
