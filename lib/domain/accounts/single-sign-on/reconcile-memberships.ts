import type { Role } from "#lib/contract/workspace/roles";
import { recordAudit } from "#lib/domain/audit/record-audit";
import { getMember } from "#lib/domain/workspaces/list-members";
import { lockWorkspace } from "#lib/domain/workspaces/lock-workspace";
import { takeOut } from "#lib/domain/workspaces/remove-member";
import type { PrismaTx } from "#lib/platform/db/prisma";

interface Reconciliation {
  userId: string;
  name: string;
  /** The name of the provider that the person signed in with. */
  provider: string;
  /** The role in each workspace that lets the person in. */
  roles: ReadonlyMap<string, Role>;
  /** The workspaces of which the provider says nothing now. */
  undecided: ReadonlySet<string>;
}

/** Recorded as the actor: no member made these changes. */
const SERVICE = { type: "system", id: null, name: null } as const;

/**
 * Makes the memberships that a provider keeps for a person equal to what it grants now. Memberships that people made
 * stay as they are.
 */
export async function reconcileMemberships(tx: PrismaTx, person: Reconciliation): Promise<void> {
  const { userId, provider, roles, undecided } = person;
  const given = await tx.prisma.workspaceMember.findMany({
    where: { userId, OR: [{ provider }, { workspaceId: { in: [...roles.keys()] } }] },
    select: { workspaceId: true, role: true, provider: true },
  });
  const before = new Map(given.map((member) => [member.workspaceId, member]));
  // Always in the same order: two sign-ins must not wait for each other. A workspace without a change is not locked.
  for (const workspaceId of [...new Set([...roles.keys(), ...before.keys()])].toSorted()) {
    if (undecided.has(workspaceId)) continue;
    const member = before.get(workspaceId);
    if (member && (member.provider !== provider || member.role === roles.get(workspaceId))) continue;
    await reconcileOne(tx, { ...person, workspaceId, role: roles.get(workspaceId) ?? null });
  }
}

interface OneWorkspace extends Omit<Reconciliation, "roles" | "undecided"> {
  workspaceId: string;
  role: Role | null;
}

async function reconcileOne(tx: PrismaTx, one: OneWorkspace): Promise<void> {
  const { workspaceId, userId, name, provider, role } = one;
  await lockWorkspace(tx, workspaceId);
  const where = { workspaceId, userId };
  const current = await tx.prisma.workspaceMember.findFirst({ where, select: { role: true, provider: true } });
  const about = { workspaceId, actor: SERVICE, objectType: "user", objectId: userId };
  if (!current) {
    if (role === null) return;
    await tx.prisma.workspaceMember.createMany({ data: { ...where, role, provider } });
    await recordAudit(tx, { ...about, action: "member.joined", details: { name, role, provider } });
    return;
  }
  // Someone made the membership theirs, or made them an owner, since.
  if (current.provider !== provider || current.role === role) return;
  if (role === null) {
    const member = await getMember(tx, workspaceId, userId);
    await takeOut(tx, { workspaceId, member, actor: SERVICE, action: "member.removed", provider });
    return;
  }
  await tx.prisma.workspaceMember.updateMany({ where: { ...where, provider }, data: { role } });
  const details = { name, from: current.role, to: role, provider };
  await recordAudit(tx, { ...about, action: "member.role_changed", details });
}
