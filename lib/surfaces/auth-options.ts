import type { NextAuthOptions } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";
import { z } from "zod";
import { recordAudit } from "#lib/audit/record-audit";
import { env } from "#lib/config/env";
import { log } from "#lib/config/log";
import { db } from "#lib/db/pool";
import { sameSitePath } from "#lib/support/same-site-path";
import { clientAddress } from "#lib/surfaces/client-address";
import { checkSignIn } from "#lib/workspaces/check-sign-in";

declare module "next-auth" {
  interface User {
    sessionEpoch?: number;
  }
}
declare module "next-auth/jwt" {
  interface JWT {
    sub?: string;
    epoch?: number;
  }
}

const SESSION_SECONDS = 7 * 24 * 60 * 60;

/** What `signIn("credentials", { redirect: false })` gives the sign-in page as `error`. */
const SIGN_IN_ERRORS = {
  /** next-auth's own word for `authorize` returning null. */
  refused: "CredentialsSignin",
  throttled: "TooManyAttempts",
  noWorkspace: "NoWorkspace",
  inviteRefused: "InviteRefused",
} as const;

const credentialsSchema = z.object({
  email: z.string().max(1_000),
  password: z.string().max(1_000),
  /** The token of an invite, which a person with an account accepts by signing in. */
  invite: z.string().min(1).max(200).optional(),
});

/** True when people reach the service over https: cookies are then Secure and carry the __Host- prefix. */
function isSecure(): boolean {
  return env().PUBLIC_BASE_URL.startsWith("https:");
}

/** The name of the session cookie. */
export function sessionCookieName(): string {
  return `${isSecure() ? "__Host-" : ""}signalbox.session`;
}

/** next-auth's settings: e-mail and password, a signed JWT in a cookie that no script can read. */
export function authOptions(): NextAuthOptions {
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
        credentials: { email: {}, password: {}, invite: {} },
        authorize: (credentials, request) => authorize(credentials, request.headers?.["x-forwarded-for"]),
      }),
    ],
    callbacks: {
      // The token names the user and the epoch of the sign-in; everything else is read from the database each time.
      jwt: ({ token, user }) => (user ? { sub: user.id, epoch: user.sessionEpoch } : token),
      redirect: ({ url, baseUrl }) => baseUrl + (sameSitePath(pathOf(url, baseUrl)) ?? "/"),
    },
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

async function authorize(credentials: unknown, forwardedFor: string | undefined) {
  const parsed = credentialsSchema.safeParse(credentials);
  if (!parsed.success) return null;
  const { email, password, invite } = parsed.data;
  const outcome = await checkSignIn(email, password, clientAddress(forwardedFor), invite ?? null);
  switch (outcome.status) {
    case "signed_in":
      await recordSignIn(outcome.userId, outcome.name);
      return { id: outcome.userId, sessionEpoch: outcome.sessionEpoch };
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

/** Of the person, in no workspace: which one they act in is chosen with every request. */
async function recordSignIn(userId: string, name: string): Promise<void> {
  const actor = { type: "user" as const, id: userId, name };
  const entry = { workspaceId: null, action: "user.signed_in", objectType: "user", objectId: userId };
  await recordAudit(db(), { ...entry, actor });
}
