import { NextRequest } from "next/server";
import NextAuth, { type NextAuthOptions } from "next-auth";
import { clientAddress } from "#lib/api/admission/client-address";
import { takeSignInRequest } from "#lib/api/admission/limit-source";
import { parseJsonBody, readBody } from "#lib/api/admission/read-body";
import { webErrorResponse } from "#lib/api/admission/web-response";
import { authOptions, deviceCookieName } from "#lib/api/auth/auth-options";
import { findProviderSignOut } from "#lib/api/auth/provider-sign-out";
import { refusalPath, SIGN_IN_ERRORS } from "#lib/api/auth/sign-in-errors";
import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import type { JsonObject } from "#lib/contract/wire/json-schema";
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

const READING = ["GET", "HEAD"];

/** The methods of next-auth's endpoints. A callback uses up the code in its address, so HEAD must not read it. */
const METHODS: ReadonlyMap<string | undefined, readonly string[]> = new Map([
  ["csrf", READING],
  ["providers", READING],
  ["error", READING],
  ["verify-request", READING],
  ["session", [...READING, "POST"]],
  ["signin", [...READING, "POST"]],
  ["signout", [...READING, "POST"]],
  ["callback", ["GET", "POST"]],
]);

const PAGES: ReadonlySet<string> = new Set(["signin", "signout", "error", "verify-request"]);

/** The reasons on next-auth's error page: its own, and those of SIGN_IN_ERRORS. */
const ERROR_PATTERN = /^[A-Za-z][\w:.-]{0,100}$/;

/**
 * Serves next-auth's endpoints. Its handler answers requests that it does not expect with 500, or with text, so they are
 * refused here first, with our own errors. The body is read here because next-auth reads it without a limit.
 */
export async function authRoute(request: NextRequest, context: AuthContext): Promise<Response> {
  const requestId = uuidv7();
  const client = clientOf(request);
  const options = authOptions(client);
  const { nextauth } = await context.params;
  const methods = methodsOf(options, nextauth);
  try {
    assertMethod(request.method, methods);
    assertReturnAddresses(request, nextauth);
    // The other endpoints neither check a password nor call another service.
    if (request.method === "POST" || nextauth[0] === "callback") takeSignInRequest(request.headers);
    const refusal = providerRefusal(request, nextauth) ?? unknownError(request, nextauth);
    if (refusal !== null) return redirectTo(refusal, requestId);
    const answer = await NextAuth(await readAhead(request), context, options);
    assertExplained(answer);
    const response = await leadToProvider(answer, client.origin);
    response.headers.set("cache-control", "no-store");
    response.headers.set("x-request-id", requestId);
    if (client.deviceCookie !== null) response.headers.append("set-cookie", client.deviceCookie);
    return response;
  } catch (error) {
    const response = webErrorResponse(error, requestId, { url: signInPage(error) });
    if (error instanceof ApiError && error.code === "METHOD_NOT_ALLOWED") {
      response.headers.set("allow", methods.join(", "));
    }
    return response;
  }
}

/**
 * Returns the methods of a path, or none if next-auth does not serve it. `_log` is closed: next-auth's client reports its
 * errors there, and anyone could fill our log with a megabyte per request.
 */
function methodsOf({ providers }: NextAuthOptions, [action, service]: string[]): readonly string[] {
  const methods = METHODS.get(action) ?? [];
  if (action !== "callback") return methods;
  // next-auth applies a provider's options later.
  const provider = providers.find(({ id, options }) => (options?.id ?? id) === service);
  if (!provider) return [];
  // Passwords and the like are only ever sent.
  return provider.type === "credentials" ? ["POST"] : methods;
}

/** @throws ApiError NOT_FOUND, METHOD_NOT_ALLOWED */
function assertMethod(method: string, methods: readonly string[]): void {
  if (methods.length === 0) throw new ApiError("NOT_FOUND", "There is no such page.");
  if (!methods.includes(method)) throw new ApiError("METHOD_NOT_ALLOWED", `This path supports ${methods.join(", ")}.`);
}

/**
 * next-auth takes an address to return to that is no address for a mistake in its settings. It shows its pages anyway.
 * @throws ApiError BAD_REQUEST
 */
function assertReturnAddresses({ nextUrl, cookies, method }: NextRequest, [action = ""]: string[]): void {
  if (method !== "POST" && PAGES.has(action)) return;
  const given = [nextUrl.searchParams.get("callbackUrl"), ...CALLBACK_COOKIES.map((name) => cookies.get(name)?.value)];
  for (const url of given) {
    if (
      !url ||
      /^https?:$/.test(URL.parse(url, url.startsWith("/") ? env().PUBLIC_BASE_URL : undefined)?.protocol ?? "")
    )
      continue;
    throw new ApiError("BAD_REQUEST", "callbackUrl must be a path or a URL with http or https.");
  }
}

/**
 * Refuses what next-auth refused with text, such as a session update without a CSRF token.
 * @throws ApiError BAD_REQUEST
 */
function assertExplained({ status, headers }: Response): void {
  if (status < 400 || headers.has("location") || headers.get("content-type")?.includes("application/json")) return;
  if (status >= 500) throw new Error(`next-auth answered ${status}`);
  throw new ApiError("BAD_REQUEST", "The form is incomplete or has expired. Open the sign-in page and try again.");
}

/** Returns the sign-in page for an error page whose reason next-auth could not write into a header, or null. */
function unknownError({ nextUrl }: NextRequest, [action, reason = ""]: string[]): string | null {
  if (action !== "error" || ERROR_PATTERN.test(nextUrl.searchParams.get("error") ?? reason)) return null;
  return refusalPath("failed");
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

/** Returns the request as next-auth reads it. */
async function readAhead(request: NextRequest): Promise<NextRequest> {
  const { url, headers, method } = request;
  if (method === "HEAD") return new NextRequest(url, { headers });
  if (method !== "POST") return request;
  const bytes = await readBody(request);
  const isJson = headers.get("content-type")?.includes("application/json");
  const body = isJson ? JSON.stringify(readJson(bytes)) : bytes.toString("utf8");
  return new NextRequest(url, { method, headers, body });
}

/** @throws ApiError BAD_REQUEST */
function readJson(bytes: Uint8Array): JsonObject {
  const body = parseJsonBody(bytes);
  for (const name of ["callbackUrl", "csrfToken"]) {
    const value = body[name];
    if (value === undefined || typeof value === "string") continue;
    throw new ApiError("BAD_REQUEST", `${name} must be text.`);
  }
  return body;
}
