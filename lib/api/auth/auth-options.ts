import type { NextAuthOptions, User } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";
import { z } from "zod";
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
    /** The session's row. */
    sid?: string;
  }
}

const SESSION_SECONDS = SESSION_DAYS * 24 * 60 * 60;

/** What `signIn("credentials", { redirect: false })` gives the sign-in page as `error`. */
const SIGN_IN_ERRORS = {
  /** next-auth's own word for `authorize` returning null. */
  refused: "CredentialsSignin",
  throttled: "TooManyAttempts",
  noWorkspace: "NoWorkspace",
  inviteRefused: "InviteRefused",
  unverified: "UnverifiedEmail",
  closed: "SignUpClosed",
  /** On our side; what it was stands in the log. */
  failed: "SignInFailed",
} as const;

const credentialsSchema = z.object({
  email: z.string().max(1_000),
  password: z.string().max(1_000),
  /** The token of an invite, which a person with an account accepts by signing in. */
  invite: z.string().min(1).max(200).optional(),
  /** An account of another service, to be connected with the one whose password this is. */
  link: z.string().min(1).max(4_000).optional(),
});

/** True when people reach the service over https: cookies are then Secure and carry the __Host- prefix. */
function isSecure(): boolean {
  return env().PUBLIC_BASE_URL.startsWith("https:");
}

/** The name of the session cookie. */
export function sessionCookieName(): string {
  return `${isSecure() ? "__Host-" : ""}signalbox.session`;
}

/**
 * next-auth's settings: e-mail and password, or an account of another service; a signed JWT in a cookie that no script
 * can read.
 * @param client who asks, for the throttle and for the list of sessions
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
        authorize: (credentials) => authorize(credentials, client.address).catch(hideFailure),
      }),
      ...signInProviders(),
    ],
    callbacks: {
      signIn: ({ user, account }) => admitProvider(user, providerOf(account?.provider)),
      // The token names the user, the epoch and the session; everything else is read from the database each time.
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

/** next-auth's client sends the whole address of the page it is on. */
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

/** What signed out of this browser must not go on where the cookie was copied to. */
async function endOwnSession(token: { sub?: string; sid?: string } | undefined): Promise<void> {
  if (token?.sub === undefined || token.sid === undefined) return;
  const actor = { type: "user" as const, id: token.sub, name: null };
  const own = { userId: token.sub, actor, currentId: token.sid, sessionId: token.sid };
  await endSessions(own).catch((error: unknown) => log.debug({ err: error }, "the session was over already"));
}

/**
 * Whether an account of another service opens one of ours. What next-auth calls the user is that account so far; from
 * here on it is ours.
 * @returns true, or where to go instead
 */
async function admitProvider(user: User, provider: SignInProvider | null): Promise<boolean | string> {
  if (provider === null) return true;
  try {
    return await admitPerson(user, provider);
  } catch (error) {
    log.warn({ err: error, provider }, "signing in by another service failed");
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

/** next-auth tells the browser the words of whatever is thrown here: ours are for the log. */
function hideFailure(error: unknown): never {
  if (error instanceof Error && Object.values<string>(SIGN_IN_ERRORS).includes(error.message)) throw error;
  log.warn({ err: error }, "signing in failed");
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

/** Both are proved now: the address by the other service, the account by its password. */
async function connectByPassword(link: string, account: { userId: string; name: string; email: string }) {
  const identity = await openLinkToken(link);
  if (identity?.email !== account.email) return;
  await prismaTransaction((tx) => linkIdentity(tx, identity, { id: account.userId, name: account.name }));
}
