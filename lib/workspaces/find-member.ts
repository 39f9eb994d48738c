import type { Plan } from "#lib/contract/plans";
import type { Role } from "#lib/contract/roles";
import { db } from "#lib/db/pool";

interface Member {
  userId: string;
  name: string;
  email: string;
  workspaceId: string;
  workspaceSlug: string;
  workspaceName: string;
  plan: Plan;
  role: Role;
}

/**
 * Who a session belongs to at this moment, in one query: the user still exists, was not signed out everywhere
 * (`session_epoch`), and is still a member. A signed session alone would outlive all three.
 * @param preferredWorkspaceId the workspace to act in; without it, or when the user is not in it, the first joined
 */
export async function findMember(
  userId: string,
  sessionEpoch: number,
  preferredWorkspaceId: string | null,
): Promise<Member | null> {
  const { rows } = await db().query<Member>({
    name: "find_member",
    text: `select u.id as "userId", u.name, u.email, w.id as "workspaceId", w.slug as "workspaceSlug",
                  w.name as "workspaceName", w.plan, m.role
           from users u
           join workspace_members m on m.user_id = u.id
           join workspaces w on w.id = m.workspace_id
           where u.id = $1 and u.session_epoch = $2
           order by (w.id = $3) desc nulls last, m.created_at, w.id
           limit 1`,
    values: [userId, sessionEpoch, preferredWorkspaceId],
  });
  return rows[0] ?? null;
}
