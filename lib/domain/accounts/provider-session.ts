import { prisma } from "#lib/platform/db/prisma";
import { canUnseal, seal, unseal } from "#lib/platform/secrets/seal";

/** A session at an OpenID Connect provider, from which one of ours starts. */
export interface ProviderSession {
  /** The name of the provider. */
  provider: string;
  /** The provider's id of the session; null if it names none. */
  sid: string | null;
  /** The ID token of the sign-in; null if it is longer than the address of a sign-out may be. */
  idToken: string | null;
}

/** A sign-in at an OpenID Connect provider, from which a session of ours starts. */
export interface ProviderOrigin extends ProviderSession {
  /** The person there, unique among all providers (`oidcSubject`). */
  subject: string;
  /** When the provider was asked who the person is, in milliseconds of the database's clock. */
  startedAt: number;
}

/** The context in which the ID token of a session is sealed. */
export function idTokenContext(sessionId: string): string {
  return `user_sessions.id_token:${sessionId}`;
}

/** Seals an ID token for the person and the session. */
export function sealIdToken(userId: string, sessionId: string, idToken: string) {
  return seal(userId, idTokenContext(sessionId), idToken);
}

/** Finds the provider's session behind one of ours, or null if it started in another way. */
export async function findProviderSession(userId: string, sessionId: string): Promise<ProviderSession | null> {
  const row = await prisma().userSession.findFirst({
    where: { id: sessionId, userId },
    select: { provider: true, providerSid: true, idTokenSealed: true },
  });
  if (!row?.provider) return null;
  const { provider, providerSid: sid, idTokenSealed: sealed } = row;
  return { provider, sid, idToken: sealed === null ? null : openIdToken(userId, sessionId, sealed) };
}

/** Returns null if the key of the instance was lost: the person signs out all the same. */
function openIdToken(userId: string, sessionId: string, sealed: Uint8Array): string | null {
  const context = idTokenContext(sessionId);
  return canUnseal(userId, context, sealed) ? unseal<string>(userId, context, sealed) : null;
}
