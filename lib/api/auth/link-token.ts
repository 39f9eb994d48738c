import { decode, encode } from "next-auth/jwt";
import { z } from "zod";
import { SIGN_IN_PROVIDERS } from "#lib/contract/account/account";
import type { ProvenIdentity } from "#lib/domain/accounts/link-identity";
import { env } from "#lib/platform/config/env";

/** Sealed with a separate key, so a link token is not a valid session and a session is not a valid link token. */
const SALT = "link-identity";
const VALID_SECONDS = 10 * 60;

const identitySchema = z.object({ provider: z.enum(SIGN_IN_PROVIDERS), subject: z.string(), email: z.string() });

/** Stores which account to connect, in the URL of the sign-in page, until the password is entered. */
export function sealLinkToken(identity: ProvenIdentity): Promise<string> {
  return encode({ token: { ...identity }, secret: env().NEXTAUTH_SECRET, salt: SALT, maxAge: VALID_SECONDS });
}

/** Returns null for an expired or invalid token. */
export async function openLinkToken(token: string): Promise<ProvenIdentity | null> {
  const claims = await decode({ token, secret: env().NEXTAUTH_SECRET, salt: SALT }).catch(() => null);
  const parsed = identitySchema.safeParse(claims);
  return parsed.success ? parsed.data : null;
}
