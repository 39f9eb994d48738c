import type { NextAuthOptions, User } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";
import { z } from "zod";
import { sourceOf } from "#lib/api/admission/client-address";
import { openLinkToken, sealLinkToken } from "#lib/api/auth/link-token";
import { signInProviders } from "#lib/api/auth/sign-in-providers";
import { type SessionMethod, SIGN_IN_PROVIDERS, type SignInProvider } from "#lib/contract/web/account";
import { checkSignIn } from "#lib/domain/accounts/check-sign-in";
import { endSessions } from "#lib/domain/accounts/end-sessions";
import { linkIdentity } from "#lib/domain/accounts/link-identity";
import { SESSION_DAYS } from "#lib/domain/accounts/list-sessions";
import { signInWithProvider } from "#lib/domain/accounts/sign-in-with-provider";
import { type SignInClient, startSession } from "#lib/domain/accounts/start-session";
import { env } from "#lib/platform/config/env";
import { log } from "#lib/platform/config/log";
import { prismaTransaction } from "#lib/platform/db/prisma";
import { sameSitePath } from "#lib/support/same-site-path";

declare module "next-auth" {
  interface User {
    sessionEpoch?: number;
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

const SESSION_SECONDS = SESSION_DAYS * 24 * 60 * 60;

/** The `error` that `signIn("credentials", { redirect: false })` returns to the sign-in page. */
export const SIGN_IN_ERRORS = {
  /** next-auth's own code if `authorize` returns null. */
  refused: "CredentialsSignin",
  throttled: "TooManyAttempts",
  noWorkspace: "NoWorkspace",
  inviteRefused: "InviteRefused",
  unverified: "UnverifiedEmail",
  closed: "SignUpClosed",
  /** A server error. The log has the cause. */
  failed: "SignInFailed",
} as const;

const credentialsSchema = z.object({
  email: z.string().max(1_000),
  password: z.string().max(1_000),
  /** The token of an invite, which a user with an account accepts by signing in. */
  invite: z.string().min(1).max(200).optional(),
  /** An account of another service to connect with the account that this password belongs to. */
  link: z.string().min(1).max(4_000).optional(),
});

/** Whether users reach the service over https. If so, cookies are Secure and have the __Host- prefix. */
function isSecure(): boolean {
  return env().PUBLIC_BASE_URL.startsWith("https:");
}

/** Returns the name of the session cookie. */
export function sessionCookieName(): string {
  return `${isSecure() ? "__Host-" : ""}signalbox.session`;
}

/**
 * Returns the settings for next-auth: sign-in with email and password or with an account of another service, and a
 * signed JWT in a cookie that scripts cannot read.
 * @param client the caller, for the throttle and for the list of sessions
 */
export function authOptions(client: SignInClient): NextAuthOptions {
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
      CredentialsProvider({
        credentials: { email: {}, password: {}, invite: {}, link: {} },
        authorize: (credentials) => authorize(credentials, sourceOf(client.address)).catch(hideFailure),
      }),
      ...signInProviders(),
    ],
    callbacks: {
      signIn: ({ user, account }) => admitProvider(user, providerOf(account?.provider)),
      // The token names the user, the epoch and the session. Everything else is read from the database each time.
      jwt: ({ token, user, account }) =>
        user ? startToken(user, providerOf(account?.provider) ?? "password", client) : token,
      redirect: ({ url, baseUrl }) => baseUrl + (sameSitePath(pathOf(url, baseUrl)) ?? "/"),
    },
    events: { signOut: ({ token }) => endOwnSession(token) },
    logger: {
      error: (code, metadata) => log.warn({ code, err: metadata instanceof Error ? metadata : undefined }, "sign-in"),
      warn: (code) => log.debug({ code }, "sign-in"),
      debug: () => undefined,
    },
  };
}

/** next-auth's client sends the full URL of the current page. */
function pathOf(url: string, baseUrl: string): string {
  return url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url;
}

function providerOf(name: string | undefined): SignInProvider | null {
  return SIGN_IN_PROVIDERS.find((provider) => provider === name) ?? null;
}

async function startToken(user: User, method: SessionMethod, client: SignInClient) {
  const sid = await startSession({ userId: user.id, name: user.name ?? "", method, client });
  return { sub: user.id, epoch: user.sessionEpoch ?? 0, sid };
}

/** Ends the session that signs out, so that a copy of its cookie no longer works either. */
async function endOwnSession(token: { sub?: string; sid?: string } | undefined): Promise<void> {
  if (token?.sub === undefined || token.sid === undefined) return;
  const actor = { type: "user" as const, id: token.sub, name: null };
  const own = { userId: token.sub, actor, currentId: token.sid, sessionId: token.sid };
  await endSessions(own).catch((error: unknown) => log.debug({ err: error }, "the session was already over"));
}

/**
 * Decides whether an account of another service signs in to one of ours. Before this call next-auth's user is the
 * account of the other service; after it, ours.
 * @returns true, or the path to redirect to
 */
async function admitProvider(user: User, provider: SignInProvider | null): Promise<boolean | string> {
  if (provider === null) return true;
  try {
    return await admitPerson(user, provider);
  } catch (error) {
    log.warn({ err: error, provider }, "sign-in with another service failed");
    return `/sign-in?error=${SIGN_IN_ERRORS.failed}`;
  }
}

async function admitPerson(user: User, provider: SignInProvider): Promise<boolean | string> {
  const { id: subject, email, name } = user;
  const outcome = await signInWithProvider({ provider, subject, verifiedEmail: email ?? null, name: name ?? "" });
  switch (outcome.status) {
    case "signed_in":
      Object.assign(user, { id: outcome.userId, name: outcome.name, sessionEpoch: outcome.sessionEpoch });
      return true;
    case "password_needed":
      return `/sign-in?link=${encodeURIComponent(await sealLinkToken(outcome.identity))}`;
    case "unverified":
      return `/sign-in?error=${SIGN_IN_ERRORS.unverified}`;
    case "closed":
      return `/sign-in?error=${SIGN_IN_ERRORS.closed}`;
    case "no_workspace":
      return `/sign-in?error=${SIGN_IN_ERRORS.noWorkspace}`;
  }
}

/** next-auth sends the message of anything thrown here to the browser, so our own messages go only to the log. */
function hideFailure(error: unknown): never {
  if (error instanceof Error && Object.values<string>(SIGN_IN_ERRORS).includes(error.message)) throw error;
  log.warn({ err: error }, "sign-in failed");
  throw new Error(SIGN_IN_ERRORS.failed);
}

async function authorize(credentials: unknown, address: string): Promise<User | null> {
  const parsed = credentialsSchema.safeParse(credentials);
  if (!parsed.success) return null;
  const { email, password, invite, link } = parsed.data;
  const outcome = await checkSignIn(email, password, address, invite ?? null);
  switch (outcome.status) {
    case "signed_in":
      if (link !== undefined) await connectByPassword(link, outcome);
      return { id: outcome.userId, name: outcome.name, sessionEpoch: outcome.sessionEpoch };
    case "refused":
      return null;
    case "throttled":
      throw new Error(SIGN_IN_ERRORS.throttled);
    case "no_workspace":
      throw new Error(SIGN_IN_ERRORS.noWorkspace);
    case "invite_refused":
      throw new Error(SIGN_IN_ERRORS.inviteRefused);
  }
}

/** Both are verified at this point: the address by the other service, the account by its password. */
async function connectByPassword(link: string, account: { userId: string; name: string; email: string }) {
  const identity = await openLinkToken(link);
  if (identity?.email !== account.email) return;
  await prismaTransaction((tx) => linkIdentity(tx, identity, { id: account.userId, name: account.name }));
}
