import { personNameSchema } from "#lib/contract/account/person-inputs";
import { createUser } from "#lib/domain/accounts/create-user";
import { linkIdentity, type ProvenIdentity } from "#lib/domain/accounts/link-identity";
import { lockSignUps } from "#lib/domain/accounts/sign-up";
import { recordAudit } from "#lib/domain/audit/record-audit";
import { createWorkspace } from "#lib/domain/workspaces/create-workspace";
import { acceptOpenInvites } from "#lib/domain/workspaces/invites/accept-open-invites";
import { env } from "#lib/platform/config/env";
import { text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import type { PrismaTx } from "#lib/platform/db/prisma";

/**
 * Creates an account without a password for a person whose address another service has verified. If it is the first
 * account, which owns the instance, or if sign-up is open to anyone, it gets a workspace. Invites for the address are
 * accepted only if nothing else lets the person in; otherwise they wait until their links are followed.
 * @param isGranted whether a workspace lets the person in by single sign-on, so that they need no own one
 * @returns null if nothing lets the person in
 */
export async function signUpProven(
  tx: PrismaTx,
  identity: ProvenIdentity,
  theirName: string,
  isGranted = false,
): Promise<{ id: string; name: string } | null> {
  const { isFirst } = await lockSignUps(tx);
  const isOpen = isFirst || (env().ALLOW_SIGNUP && !isGranted);
  if (!isOpen && !isGranted && !(await isInvited(tx, identity.email))) return null;
  const name = nameOf(theirName, identity.email);
  const { userId } = await createUser(tx.prisma, { email: identity.email, name, passwordHash: null });
  const user = { id: userId, name };
  await linkIdentity(tx, identity, user);
  const own = isOpen ? await createWorkspace(tx.prisma, { name: `${name}'s workspace`, ownerId: userId }) : null;
  if (!isOpen && !isGranted) await acceptOpenInvites(tx, identity.email, user);
  const entry = { action: "user.signed_up" as const, objectType: "user", objectId: userId };
  const workspaceId = own?.workspaceId ?? null;
  await recordAudit(tx, { ...entry, workspaceId, actor: { type: "user", ...user }, details: { ...identity } });
  return user;
}

const selectOpenInvite = defineStatement({
  name: "find_open_invite",
  params: { email: text },
  row: { id: uuid },
  sql: "select id from workspace_invites where email = $1 and accepted_at is null and expires_at > now()",
  isPrepared: false,
});

async function isInvited(tx: Db, email: string): Promise<boolean> {
  return (await selectOpenInvite.first(tx, { email })) !== null;
}

/** Names from other services may be empty or contain anything. */
function nameOf(theirs: string, email: string): string {
  const usable = personNameSchema.safeParse(theirs.replace(/\p{Cc}+/gu, " ").slice(0, 100));
  return usable.success ? usable.data : (email.split("@")[0] ?? email);
}
