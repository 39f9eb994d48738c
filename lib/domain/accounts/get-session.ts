import { ApiError } from "#lib/contract/error/api-error";
import type { SessionObject } from "#lib/contract/wire/web";
import type { Plan } from "#lib/contract/workspace/plans";
import type { Role } from "#lib/contract/workspace/roles";
import { env } from "#lib/platform/config/env";
import { prisma } from "#lib/platform/db/prisma";

/**
 * Returns the signed-in user and the workspace they act in.
 * @throws ApiError UNAUTHORIZED if the membership ended meanwhile
 */
export async function getSession(userId: string, workspaceId: string): Promise<SessionObject> {
  const member = await prisma().workspaceMember.findUnique({
    where: { workspaceId_userId: { workspaceId, userId } },
    include: { user: true, workspace: true },
  });
  if (!member) throw new ApiError("not_signed_in", "Sign in to continue.");
  const { user, workspace } = member;
  return {
    user: { user_id: user.id, name: user.name, email: user.email },
    workspace: {
      workspace_id: workspace.id,
      slug: workspace.slug,
      name: workspace.name,
      plan: workspace.plan as Plan,
      time_zone: workspace.timeZone,
    },
    role: member.role as Role,
    base_url: env().PUBLIC_BASE_URL,
  };
}
