import type { Plan } from "#lib/contract/workspace/plans";
import { createUser } from "#lib/domain/accounts/create-user";
import { createWorkspace } from "#lib/domain/workspaces/create-workspace";
import { prismaTransaction } from "#lib/platform/db/prisma";
import { uuidv7 } from "#lib/support/ids";

export interface TestWorkspace {
  workspaceId: string;
  userId: string;
  plan: Plan;
}

/**
 * For tests: creates a workspace with its owner. The default plan is `business`, which limits neither keys nor runs per
 * month.
 */
export async function addWorkspace(plan: Plan = "business"): Promise<TestWorkspace> {
  const unique = uuidv7().slice(-12);
  return prismaTransaction(async (tx) => {
    const { userId } = await createUser(tx.prisma, {
      email: `owner-${unique}@test.example`,
      name: "Owner",
      passwordHash: "-",
    });
    const { workspaceId } = await createWorkspace(tx.prisma, {
      name: "Test",
      slug: `test-${unique}`,
      plan,
      ownerId: userId,
    });
    return { workspaceId, userId, plan };
  });
}
