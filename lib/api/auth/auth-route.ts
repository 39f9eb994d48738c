import { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { clientAddress } from "#lib/api/admission/client-address";
import { takeSignInRequest } from "#lib/api/admission/limit-source";
import { parseJsonBody, readBody } from "#lib/api/admission/read-body";
import { webErrorResponse } from "#lib/api/admission/web-response";
import { authOptions, deviceCookieName } from "#lib/api/auth/auth-options";
import { findProviderSignOut } from "#lib/api/auth/provider-sign-out";
import { refusalPath, SIGN_IN_ERRORS } from "#lib/api/auth/sign-in-errors";
import { ApiError } from "#lib/contract/api-error";
import { LIMITS } from "#lib/contract/limits";
import { openDevice, sealDevice } from "#lib/domain/accounts/attempts/known-device";
import { findOidcProvider } from "#lib/domain/accounts/list-sign-in-services";
import type { ProviderSession } from "#lib/domain/accounts/provider-session";
import { env } from "#lib/platform/config/env";
import { log } from "#lib/platform/config/log";
import { uuidv7 } from "#lib/support/ids";
import { sameSitePath } from "#lib/support/same-site-path";

interface AuthContext {
  params: Promise<{ nextauth: string[] }>;
}

const ERROR_CODE_MAX = 60;

/** next-auth's cookie with the address to return to, over https and over http. */
const CALLBACK_COOKIES = ["__Secure-next-auth.callback-url", "next-auth.callback-url"];

/**
 * Serves next-auth's endpoints. Its handler parses the body without a limit and answers 500 if that fails, so the body
 * is read here first: limited in size, and refused with our own errors.
 */
export async function authRoute(request: NextRequest, context: AuthContext): Promise<Response> {
  const requestId = uuidv7();
  try {
    const { nextauth } = await context.params;
    assertMethod(request.method, nextauth);
    // next-auth's client reports its errors here, and anyone could fill our log with a megabyte per request.
    if (nextauth[0] === "_log") throw new ApiError("NOT_FOUND", "There is no such page.");
    // The other endpoints neither check a password nor call another service.
    if (request.method === "POST" || nextauth[0] === "callback") takeSignInRequest(request.headers);
    const refusal = providerRefusal(request, nextauth);
    if (refusal !== null) return redirectTo(refusal, requestId);
    const handed = request.method === "POST" ? await readAhead(request) : request;
    const client = clientOf(request);
    const response = await leadToProvider(await NextAuth(handed, context, authOptions(client)), client.origin);
    response.headers.set("cache-control", "no-store");
    response.headers.set("x-request-id", requestId);
    if (client.deviceCookie !== null) response.headers.append("set-cookie", client.deviceCookie);
    return response;
  } catch (error) {
    const response = webErrorResponse(error, requestId, { url: signInPage(error) });
    if (error instanceof ApiError && error.code === "METHOD_NOT_ALLOWED") {
      response.headers.set("allow", methodsOf((await context.params).nextauth).join(", "));
    }
    return response;
  }
}

/** A password is only ever sent: next-auth answers 500 with an empty body if it is asked for. */
function methodsOf([action, service]: string[]): string[] {
  return action === "callback" && service === "credentials" ? ["POST"] : ["GET", "HEAD", "POST"];
}

/** @throws ApiError METHOD_NOT_ALLOWED */
function assertMethod(method: string, path: string[]): void {
  const methods = methodsOf(path);
  if (!methods.includes(method)) throw new ApiError("METHOD_NOT_ALLOWED", `This path supports ${methods.join(", ")}.`);
}

/**
 * Returns the page that shows why a service did not let a person in (RFC 6749, 4.1.2.1), or null. next-auth has one code
 * for all of it. The description is text that anyone can write into the address, so the page shows only the code.
 */
function providerRefusal({ nextUrl }: NextRequest, [action, service]: string[]): string | null {
  const error = nextUrl.searchParams.get("error");
  if (action !== "callback" || error === null || findOidcProvider(service) === null) return null;
  log.warn(
    { provider: service, error: error.slice(0, ERROR_CODE_MAX) },
    "an OpenID Connect provider refused a sign-in",
  );
  return refusalPath(error === "access_denied" ? "accessDenied" : `requestRefused:${error.slice(0, ERROR_CODE_MAX)}`);
}

function redirectTo(location: string, requestId: string): Response {
  const headers = { location, "cache-control": "no-store", "x-request-id": requestId };
  return new Response(null, { status: 302, headers });
}

/**
 * After a sign-out, next-auth's client opens the address in the answer. The provider's page comes first, and leads on
 * to it.
 */
async function leadToProvider(response: Response, origin: ProviderSession | null): Promise<Response> {
  if (origin === null || !response.headers.get("content-type")?.includes("application/json")) return response;
  const { url } = (await response.json()) as { url: string };
  const { pathname, search } = new URL(url, env().PUBLIC_BASE_URL);
  const leaveTo = await findProviderSignOut(origin, pathname + search);
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  return Response.json({ url: leaveTo ?? url }, { status: response.status, headers });
}

/** next-auth's client reads the reason of a refusal from the address of the page to show. */
function signInPage(error: unknown): string {
  const reason = error instanceof ApiError ? error.reason : null;
  const code = reason === "too_many_attempts" ? "throttled" : reason === "not_signed_in" ? "expired" : "failed";
  return `${env().PUBLIC_BASE_URL}/sign-in?error=${SIGN_IN_ERRORS[code]}`;
}

function clientOf({ headers, cookies }: NextRequest) {
  const device = openDevice(cookies.get(deviceCookieName())?.value);
  const client = {
    address: clientAddress(headers),
    userAgent: headers.get("user-agent") ?? "",
    returnTo: returnPathIn(cookies),
    device,
    /** Set when the sign-in is finished. */
    deviceCookie: null as string | null,
    /** Set when a session that started from an OpenID Connect provider signs out. */
    origin: null as ProviderSession | null,
    onSignedOut: (origin: ProviderSession) => {
      client.origin = origin;
    },
    onSignedIn: (userId: string, epoch: number) => {
      client.deviceCookie = deviceCookie(sealDevice(device, userId, epoch));
    },
  };
  return client;
}

function deviceCookie(value: string): string {
  const secure = env().PUBLIC_BASE_URL.startsWith("https:") ? "; Secure" : "";
  const seconds = LIMITS.knownDeviceDays * 86_400;
  return `${deviceCookieName()}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** Returns the path that next-auth remembers while the user is at another service. */
function returnPathIn(cookies: NextRequest["cookies"]): string | null {
  const url = CALLBACK_COOKIES.map((name) => cookies.get(name)?.value).find((value) => value !== undefined);
  const base = `${env().PUBLIC_BASE_URL}/`;
  return url?.startsWith(base) ? sameSitePath(url.slice(base.length - 1)) : null;
}

async function readAhead(request: NextRequest): Promise<NextRequest> {
  const bytes = await readBody(request);
  if (request.headers.get("content-type")?.includes("application/json")) parseJsonBody(bytes);
  return new NextRequest(request.url, { method: "POST", headers: request.headers, body: bytes.toString("utf8") });
}
