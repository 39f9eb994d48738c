import { OWN_FACTORS } from "#lib/contract/account/account";
import { LIMITS } from "#lib/contract/limits";
import { PLANS } from "#lib/contract/workspace/plans";
import { ROLES } from "#lib/contract/workspace/roles";
import { boolean, enumOf, integer, nullable, type RowOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { sqlSet } from "#lib/platform/db/sql-set";

/** How exactly the last use of a session is recorded: each record is a write. */
const SEEN_EVERY_MINUTES = 5;

/** What a workspace can require of the sessions of its members. */
export const REQUIREMENTS = ["sso", "two_step"] as const;
export type Requirement = (typeof REQUIREMENTS)[number];

const MEMBER = {
  userId: uuid,
  name: text,
  email: text,
  workspaceId: uuid,
  workspaceSlug: text,
  workspaceName: text,
  plan: enumOf(PLANS),
  role: enumOf(ROLES),
  /**
   * What the workspace requires and this session does not have: a sign-in through the provider of single sign-on, or
   * two-step verification. Null if the workspace is open to the session.
   */
  missing: nullable(enumOf(REQUIREMENTS)),
  /** Whether the session started with a second factor of the person, or with a passkey. */
  hasUsedFactor: nullable(boolean),
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
  params: {
    userId: uuid,
    epoch: integer,
    workspaceId: nullable(uuid),
    sessionId: uuid,
    minutes: integer,
    days: integer,
  },
  row: MEMBER,
  sql: `select u.id as "userId", u.name, u.email, w.id as "workspaceId", w.slug as "workspaceSlug",
          w.name as "workspaceName", w.plan, m.role,
          case
            when sso.is_required and s.provider is distinct from sso.provider then 'sso'
            when w.require_two_step and not has_two_step(u.id) and s.second_factor is distinct from 'provider' then 'two_step'
          end as missing,
          (s.method = 'passkey' or s.second_factor in ${sqlSet(OWN_FACTORS)}) as "hasUsedFactor",
          s.last_seen_at < now() - make_interval(mins => $5) as "isUnseen"
        from users u
        join workspace_members m on m.user_id = u.id
        join workspaces w on w.id = m.workspace_id
        join user_sessions s on s.id = $4 and s.user_id = u.id and s.created_at > now() - make_interval(days => $6)
        left join workspace_sso sso on sso.workspace_id = w.id
        where u.id = $1 and u.session_epoch = coalesce(s.epoch, $2)
        order by (w.id = $3) desc nulls last, m.created_at, w.id
        limit 1`,
});

/**
 * Finds the member that a session belongs to now, in one query: the user still exists, has not signed out everywhere
 * (`session_epoch`) or from this session, the session is not too old, and the user is still a member. A signed session
 * alone would outlive all of these: next-auth renews its cookie.
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
    days: LIMITS.sessionDays,
  });
}
