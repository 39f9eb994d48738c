import type { Role } from "#lib/contract/workspace/roles";
import { createUser } from "#lib/domain/accounts/create-user";
import { db } from "#lib/platform/db/pool";
import { prisma } from "#lib/platform/db/prisma";
import { uuidv7 } from "#lib/support/ids";

export interface TestMember {
  workspaceId: string;
  userId: string;
  email: string;
  actor: { type: "user"; id: string; name: string };
  /** The same person, as the requester in the use cases about members. */
  actorUserId: string;
}

/** For tests: adds another person to a workspace. */
export async function addMember(workspaceId: string, role: Role): Promise<TestMember> {
  const email = `${role}-${uuidv7().slice(-12)}@test.example`;
  const { userId } = await createUser(prisma(), { email, name: role, passwordHash: "-" });
  await db().query("insert into workspace_members (workspace_id, user_id, role) values ($1, $2, $3)", [
    workspaceId,
    userId,
    role,
  ]);
  return { workspaceId, userId, email, actor: { type: "user", id: userId, name: role }, actorUserId: userId };
}
