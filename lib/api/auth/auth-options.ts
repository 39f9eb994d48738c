import type { NextAuthOptions, User } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";
import { sourceOf } from "#lib/api/admission/client-address";
import { admitProvider } from "#lib/api/auth/admit-provider";
import { authorizePasskey, authorizePassword, authorizeSecondFactor } from "#lib/api/auth/authorize";
import type { OidcSignIn } from "#lib/api/auth/oidc-sign-in";
import { hideFailure } from "#lib/api/auth/sign-in-errors";
import { signInProviders } from "#lib/api/auth/sign-in-providers";
import type { SecondFactor, SessionMethod } from "#lib/contract/account/account";
import { LIMITS } from "#lib/contract/limits";
import type { KnownDevice } from "#lib/domain/accounts/attempts/known-device";
import { endSessions } from "#lib/domain/accounts/end-sessions";
import { findProviderSession, type ProviderOrigin, type ProviderSession } from "#lib/domain/accounts/provider-session";
import { type SignInClient, startSession } from "#lib/domain/accounts/start-session";
import { env } from "#lib/platform/config/env";
import { log } from "#lib/platform/config/log";
import { sameSitePath } from "#lib/support/same-site-path";

declare module "next-auth" {
  interface User {
    sessionEpoch?: number;
    method?: SessionMethod;
    secondFactor?: SecondFactor | null;
    /** Set by the first step with an OpenID Connect provider. */
    oidc?: OidcSignIn;
    /** The sign-in at an OpenID Connect provider that the session starts from. */
    origin?: ProviderOrigin | null;
  }
}
declare module "next-auth/jwt" {
  interface JWT {
    sub?: string;
    epoch?: number;
    /** The id of the session's row. */
    sid?: string;
  }
}

/** next-auth renews the cookie at its own endpoints. The session ends all the same (findMember). */
const SESSION_SECONDS = LIMITS.sessionDays * 24 * 60 * 60;

interface AuthClient extends SignInClient {
  returnTo?: string | null;
  /** The browser, if people signed in on it before. */
  device?: KnownDevice | null;
  /** Called for a finished sign-in. */
  onSignedIn?: (userId: string, epoch: number) => void;
  /** Called when a session that started from an OpenID Connect provider signs out. */
  onSignedOut?: (origin: ProviderSession) => void;
}

/** Whether users reach the service over https. If so, cookies are Secure and have the __Host- prefix. */
function isSecure(): boolean {
  return env().PUBLIC_BASE_URL.startsWith("https:");
}

/** Returns the name of the session cookie. */
export function sessionCookieName(): string {
  return `${isSecure() ? "__Host-" : ""}signalbox.session`;
}

/** Returns the name of the cookie that makes a browser known to the accounts that signed in on it. */
export function deviceCookieName(): string {
  return `${isSecure() ? "__Host-" : ""}signalbox.device`;
}

/**
 * Returns the settings for next-auth: sign-in with email and password or with an account of another service, and a
 * signed JWT in a cookie that scripts cannot read.
 * @param client the caller, for the throttle and for the list of sessions, and the path that they want to open
 */
export function authOptions(client: AuthClient): NextAuthOptions {
  const source = { address: sourceOf(client.address), device: client.device ?? null };
  return {
    secret: env().NEXTAUTH_SECRET,
    session: { strategy: "jwt", maxAge: SESSION_SECONDS },
    pages: { signIn: "/sign-in", signOut: "/sign-in", error: "/sign-in" },
    useSecureCookies: isSecure(),
    cookies: {
      sessionToken: {
        name: sessionCookieName(),
        options: { httpOnly: true, sameSite: "lax", path: "/", secure: isSecure() },
      },
    },
    providers: [
      credentials("credentials", (given) => authorizePassword(given, source)),
      credentials("passkey", (given) => authorizePasskey(given, source)),
      credentials("second-factor", (given) => authorizeSecondFactor(given, source)),
      ...signInProviders(),
    ],
    callbacks: {
      signIn: ({ user, account }) => admitProvider(user, account?.provider ?? "", client.returnTo ?? null),
      // The token names the user, the epoch and the session. Everything else is read from the database each time.
      jwt: ({ token, user }) => (user ? startToken(user, client) : token),
      redirect: ({ url, baseUrl }) => baseUrl + (sameSitePath(pathOf(url, baseUrl)) ?? "/"),
    },
    events: { signOut: ({ token }) => endOwnSession(token, client) },
    logger: {
      error: (code, metadata) => log.warn({ code, err: metadata instanceof Error ? metadata : undefined }, "sign-in"),
      warn: (code) => log.debug({ code }, "sign-in"),
      debug: () => undefined,
    },
  };
}

/** A sign-in step. next-auth reads any form field, so the fields are not listed. */
function credentials(id: string, authorize: (given: unknown) => Promise<User | null>) {
  return CredentialsProvider({ id, credentials: {}, authorize: (given) => authorize(given).catch(hideFailure) });
}

/** next-auth's client sends the full URL of the current page. */
function pathOf(url: string, baseUrl: string): string {
  return url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url;
}

async function startToken(user: User, client: AuthClient) {
  const epoch = user.sessionEpoch ?? 0;
  const sid = await startSession({
    userId: user.id,
    name: user.name ?? "",
    method: user.method ?? "password",
    secondFactor: user.secondFactor ?? null,
    origin: user.origin ?? null,
    client,
  });
  client.onSignedIn?.(user.id, epoch);
  return { sub: user.id, epoch, sid };
}

/** Ends the session that signs out, so that a copy of its cookie no longer works either. */
async function endOwnSession(token: { sub?: string; sid?: string } | undefined, client: AuthClient): Promise<void> {
  if (token?.sub === undefined || token.sid === undefined) return;
  const actor = { type: "user" as const, id: token.sub, name: null };
  const own = { userId: token.sub, actor, currentId: token.sid, sessionId: token.sid };
  try {
    const origin = await findProviderSession(token.sub, token.sid);
    await endSessions(own);
    if (origin !== null) client.onSignedOut?.(origin);
  } catch (error) {
    log.debug({ err: error }, "the session was already over");
  }
}
