import { LIMITS } from "#lib/contract/limits";
import { bigint, integer, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, db } from "#lib/platform/db/pool";

const COUNTED_HOURS = 24;

interface InviteMail {
  inviteId: string;
  workspaceId: string;
  /** Normalised (normalizeEmail). */
  email: string;
}

const lockAddress = defineStatement({
  name: "lock_invite_address",
  params: { email: text },
  sql: "select pg_advisory_xact_lock(hashtextextended('invite_mail|' || $1, 0))",
  isPrepared: false,
});

const countMail = defineStatement({
  name: "take_invite_mail",
  params: {
    inviteId: uuid,
    workspaceId: uuid,
    email: text,
    hours: integer,
    perWorkspace: bigint,
    perAddress: bigint,
  },
  sql: `insert into invite_mails (id, workspace_id, email)
        select $1, $2, $3
        where (select count(*) from invite_mails
               where workspace_id = $2 and created_at > now() - make_interval(hours => $4)) < $5
          and (select count(*) from invite_mails
               where email = $3 and created_at > now() - make_interval(hours => $4)) < $6`,
  isPrepared: false,
});

/**
 * Counts an invite email in the transaction that creates the invite (decisions, Workspaces): a person who can create a
 * workspace must not be able to ruin a mail server's reputation.
 * @returns false, without counting, if the workspace or the address has used up its emails of the last day
 */
export async function takeInviteMail(tx: Db, { inviteId, workspaceId, email }: InviteMail): Promise<boolean> {
  // Invites of one workspace already take turns; here those of several workspaces to one address do.
  await lockAddress.run(tx, { email });
  const counted = await countMail.run(tx, {
    inviteId,
    workspaceId,
    email,
    hours: COUNTED_HOURS,
    perWorkspace: LIMITS.inviteMailsPerDay,
    perAddress: LIMITS.inviteMailsPerAddressPerDay,
  });
  return counted === 1;
}

const deleteMails = defineStatement({
  name: "delete_old_invite_mails",
  params: { hours: integer },
  sql: "delete from invite_mails where created_at < now() - make_interval(hours => $1)",
  isPrepared: false,
});

/** Deletes the records of emails that no longer count. */
export async function deleteOldInviteMails(): Promise<void> {
  await deleteMails.run(db(), { hours: COUNTED_HOURS });
}
