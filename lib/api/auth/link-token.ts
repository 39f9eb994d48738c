import { decode, encode } from "next-auth/jwt";
import { z } from "zod";
import { SIGN_IN_PROVIDERS } from "#lib/contract/web/account";
import type { ProvenIdentity } from "#lib/domain/accounts/link-identity";
import { env } from "#lib/platform/config/env";

/** Sealed with a key of its own: none of these is a session, and no session is one of these. */
const SALT = "link-identity";
const VALID_SECONDS = 10 * 60;

const identitySchema = z.object({ provider: z.enum(SIGN_IN_PROVIDERS), subject: z.string(), email: z.string() });

/** Remembers, in the address of the sign-in page, which account is to be connected once the password is known. */
export function sealLinkToken(identity: ProvenIdentity): Promise<string> {
  return encode({ token: { ...identity }, secret: env().NEXTAUTH_SECRET, salt: SALT, maxAge: VALID_SECONDS });
}

/** Null for one that is over, or not ours. */
export async function openLinkToken(token: string): Promise<ProvenIdentity | null> {
  const claims = await decode({ token, secret: env().NEXTAUTH_SECRET, salt: SALT }).catch(() => null);
  const parsed = identitySchema.safeParse(claims);
  return parsed.success ? parsed.data : null;
}
