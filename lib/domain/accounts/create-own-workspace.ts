import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import type { MembershipObject } from "#lib/contract/workspace/workspace";
import { lockUser } from "#lib/domain/accounts/lock-user";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { createWorkspace } from "#lib/domain/workspaces/create-workspace";
import { type PrismaTx, prismaTransaction } from "#lib/platform/db/prisma";

interface OwnWorkspaceRequest {
  userId: string;
  actor: Actor;
  name: string;
  /** An IANA time zone; defaults to UTC. */
  timeZone?: string;
}

/**
 * Creates another workspace for a signed-in person, who owns it, on the free plan.
 * @throws ApiError FORBIDDEN if they already own the maximum
 */
export async function createOwnWorkspace(request: OwnWorkspaceRequest): Promise<MembershipObject> {
  const { userId, actor, name, timeZone } = request;
  return prismaTransaction(async (tx) => {
    await assertMayOwnMore(tx, userId);
    const made = await createWorkspace(tx.prisma, {
      name,
      ownerId: userId,
      ...(timeZone === undefined ? {} : { timeZone }),
    });
    const { workspaceId, slug } = made;
    const entry = { action: "workspace.created" as const, objectType: "workspace", objectId: workspaceId };
    await recordAudit(tx, { ...entry, workspaceId, actor, details: { name, slug } });
    return { workspace_id: workspaceId, slug, name, plan: "free", role: "owner" };
  });
}

/** Each workspace has a monthly quota of its own, so the number of workspaces is limited. */
async function assertMayOwnMore(tx: PrismaTx, userId: string): Promise<void> {
  await lockUser(tx, userId);
  const count = await tx.prisma.workspaceMember.count({ where: { userId, role: "owner" } });
  if (count >= LIMITS.ownedWorkspaces) {
    throw new ApiError("FORBIDDEN", `One person can own at most ${LIMITS.ownedWorkspaces} workspaces.`);
  }
}
