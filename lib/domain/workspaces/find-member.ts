import { PLANS } from "#lib/contract/plans";
import { ROLES } from "#lib/contract/roles";
import { boolean, enumOf, integer, nullable, type RowOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

/** How exactly the last use of a session is recorded: each record is a write. */
const SEEN_EVERY_MINUTES = 5;

const MEMBER = {
  userId: uuid,
  name: text,
  email: text,
  workspaceId: uuid,
  workspaceSlug: text,
  workspaceName: text,
  plan: enumOf(PLANS),
  role: enumOf(ROLES),
  /** True if the workspace requires two-step verification and the person has no second factor. */
  isTwoStepMissing: boolean,
  /** True if the session's last use was not recorded for a while (noteSession). */
  isUnseen: boolean,
};

/** The user and session that a session cookie names. */
export interface SessionClaims {
  userId: string;
  epoch: number;
  sessionId: string;
}

const selectMember = defineStatement({
  name: "find_member",
  params: { userId: uuid, epoch: integer, workspaceId: nullable(uuid), sessionId: uuid, minutes: integer },
  row: MEMBER,
  sql: `select u.id as "userId", u.name, u.email, w.id as "workspaceId", w.slug as "workspaceSlug",
          w.name as "workspaceName", w.plan, m.role,
          w.require_two_step and not has_two_step(u.id) as "isTwoStepMissing",
          s.last_seen_at < now() - make_interval(mins => $5) as "isUnseen"
        from users u
        join workspace_members m on m.user_id = u.id
        join workspaces w on w.id = m.workspace_id
        join user_sessions s on s.id = $4 and s.user_id = u.id
        where u.id = $1 and u.session_epoch = coalesce(s.epoch, $2)
        order by (w.id = $3) desc nulls last, m.created_at, w.id
        limit 1`,
});

/**
 * Finds the member that a session belongs to now, in one query: the user still exists, has not signed out everywhere
 * (`session_epoch`) or from this session, and is still a member. A signed session alone would outlive all of these.
 * The epoch is the cookie's, unless the session continued after all others ended (`endOtherSessions`).
 * @param preferredWorkspaceId the workspace to act in; defaults to the first joined, also if the user does not belong
 * to it
 */
export async function findMember(
  { userId, epoch, sessionId }: SessionClaims,
  preferredWorkspaceId: string | null,
): Promise<RowOf<typeof MEMBER> | null> {
  return selectMember.first(db(), {
    userId,
    epoch,
    workspaceId: preferredWorkspaceId,
    sessionId,
    minutes: SEEN_EVERY_MINUTES,
  });
}
