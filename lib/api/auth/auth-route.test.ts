import { NextRequest } from "next/server";
import { beforeEach, expect, test } from "vitest";
import { authRoute } from "#lib/api/auth/auth-route";
import { env } from "#lib/platform/config/env";
import { oidcProvidersSchema } from "#lib/platform/config/oidc-provider-setting";

beforeEach(() => {
  const setting = { name: "company", label: "Company", issuer: "https://id.example.com", client_id: "signalbox" };
  env().OIDC_PROVIDERS = oidcProvidersSchema.parse([setting]);
});

async function answerTo(query: string): Promise<Response> {
  const url = `${env().PUBLIC_BASE_URL}/api/auth/callback/company?${query}`;
  return authRoute(new NextRequest(url), { params: Promise.resolve({ nextauth: ["callback", "company"] }) });
}

/** Asks for a path below /api/auth. */
function ask(method: string, path: string): Promise<Response> {
  const request = new NextRequest(`${env().PUBLIC_BASE_URL}/api/auth/${path}`, { method });
  return authRoute(request, { params: Promise.resolve({ nextauth: path.split("/") }) });
}

test("a password can only be sent, and the answer says so", async () => {
  for (const method of ["GET", "HEAD", "PUT", "OPTIONS"]) {
    const answer = await ask(method, "callback/credentials");
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
    expect(await answer.json()).toMatchObject({ code: "METHOD_NOT_ALLOWED" });
  }
  const answer = await ask("PUT", "session");
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
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
