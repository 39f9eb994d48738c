import type { SecondFactor, SessionMethod } from "#lib/contract/account/account";
import { LIMITS } from "#lib/contract/limits";
import { requireProviderOrigin } from "#lib/domain/accounts/provider-logouts";
import { type ProviderOrigin, sealIdToken } from "#lib/domain/accounts/provider-session";
import { recordAudit } from "#lib/domain/audit/record-audit";
import { type PrismaDb, prismaTransaction } from "#lib/platform/db/prisma";
import { uuidv7 } from "#lib/support/ids";

/** The origin of a request, as far as it is known. */
export interface SignInClient {
  address: string;
  userAgent: string;
}

interface NewSession {
  userId: string;
  name: string;
  method: SessionMethod;
  secondFactor: SecondFactor | null;
  /** The sign-in at an OpenID Connect provider that the session starts from. */
  origin?: ProviderOrigin | null;
  client: SignInClient;
}

const USER_AGENT_MAX = 300;

/**
 * Records that a user signed in, and from where.
 * @returns the session's id, which the cookie names
 * @throws ApiError UNAUTHORIZED if the provider has ended the sign-in meanwhile
 */
export async function startSession(session: NewSession): Promise<string> {
  const { userId, name, method, secondFactor, origin = null, client } = session;
  const sessionId = uuidv7();
  const provider = origin?.provider ?? null;
  await prismaTransaction(async (tx) => {
    if (origin !== null) await requireProviderOrigin(tx, origin);
    const { address, userAgent } = client;
    const browser = userAgent.slice(0, USER_AGENT_MAX);
    const data = {
      id: sessionId,
      userId,
      method,
      userAgent: browser,
      address,
      secondFactor,
      provider,
      providerSid: origin?.sid ?? null,
      providerSubject: origin?.subject ?? null,
      idTokenSealed: origin?.idToken == null ? null : sealIdToken(userId, sessionId, origin.idToken),
    };
    await tx.prisma.userSession.create({ data });
    await endSurplusSessions(tx.prisma, userId, sessionId);
    // A session belongs to a person and to no workspace: each request chooses the workspace to act in.
    const actor = { type: "user" as const, id: userId, name };
    const entry = { workspaceId: null, action: "user.signed_in" as const, objectType: "user", objectId: userId };
    const details = {
      method,
      second_factor: secondFactor,
      provider,
      address,
      user_agent: browser,
    };
    await recordAudit(tx, { ...entry, actor, details });
  });
  return sessionId;
}

/** Ends the sessions that were not used for the longest time, if a person has more than LIMITS.sessionsPerUser. */
async function endSurplusSessions(prisma: PrismaDb, userId: string, newId: string): Promise<void> {
  const surplus = await prisma.userSession.findMany({
    where: { userId, id: { not: newId } },
    orderBy: [{ lastSeenAt: "desc" }, { id: "desc" }],
    skip: LIMITS.sessionsPerUser - 1,
    select: { id: true },
  });
  if (surplus.length === 0) return;
  await prisma.userSession.deleteMany({ where: { userId, id: { in: surplus.map(({ id }) => id) } } });
}
