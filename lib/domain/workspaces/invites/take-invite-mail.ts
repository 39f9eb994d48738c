import { LIMITS } from "#lib/contract/limits";
import { type Db, db } from "#lib/platform/db/pool";

const COUNTED_HOURS = 24;

interface InviteMail {
  inviteId: string;
  workspaceId: string;
  /** Normalised (normalizeEmail). */
  email: string;
}

/**
 * Counts an invite that is to be mailed, in the transaction that makes it (decisions, Workspaces): a mail server's good
 * name is not to be spent by whoever may make a workspace.
 * @returns false, and nothing is counted, when the workspace or the address has had its mails of the last day
 */
export async function takeInviteMail(tx: Db, { inviteId, workspaceId, email }: InviteMail): Promise<boolean> {
  // The workspace's invites take turns already; those of several workspaces to one address do here.
  await tx.query({ text: "select pg_advisory_xact_lock(hashtextextended('invite_mail|' || $1, 0))", values: [email] });
  const { rowCount } = await tx.query({
    text: `insert into invite_mails (id, workspace_id, email)
           select $1, $2, $3
           where (select count(*) from invite_mails
                  where workspace_id = $2 and created_at > now() - make_interval(hours => $4)) < $5
             and (select count(*) from invite_mails
                  where email = $3 and created_at > now() - make_interval(hours => $4)) < $6`,
    values: [
      ...[inviteId, workspaceId, email],
      ...[COUNTED_HOURS, LIMITS.inviteMailsPerDay, LIMITS.inviteMailsPerAddressPerDay],
    ],
  });
  return rowCount === 1;
}

/** Those that count no more. */
export async function deleteOldInviteMails(): Promise<void> {
  await db().query({
    text: "delete from invite_mails where created_at < now() - make_interval(hours => $1)",
    values: [COUNTED_HOURS],
  });
}
