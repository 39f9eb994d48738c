import { randomBytes } from "node:crypto";
import { ApiError, type FieldError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import { ROLES, type Role } from "#lib/contract/workspace/roles";
import type { CreatedInvite } from "#lib/contract/workspace/workspace";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { inviteLinkContext } from "#lib/domain/workspaces/invites/claim-invite-mail";
import { hashInviteToken } from "#lib/domain/workspaces/invites/find-invite";
import { INVITE_ROW, presentInvite } from "#lib/domain/workspaces/invites/present-invite";
import { takeInviteMail } from "#lib/domain/workspaces/invites/take-invite-mail";
import { assertWithinRole, lockMembers } from "#lib/domain/workspaces/lock-members";
import { env } from "#lib/platform/config/env";
import { bytea, enumOf, float8, integer, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { type PrismaDb, prismaTransaction } from "#lib/platform/db/prisma";
import { addMailJob, MAIL_UNATTENDED_SECONDS } from "#lib/platform/jobs/add-mail-job";
import { INVITE_MAIL_JOB } from "#lib/platform/jobs/payloads";
import { seal } from "#lib/platform/secrets/seal";
import { uuidv7 } from "#lib/support/ids";

interface CreateInviteRequest {
  workspaceId: string;
  actor: Actor;
  actorUserId: string;
  /** Normalised (normalizeEmail). */
  email: string;
  role: Role;
}

const insertInvite = defineStatement({
  name: "insert_invite",
  params: {
    id: uuid,
    workspaceId: uuid,
    email: text,
    role: enumOf(ROLES),
    tokenHash: bytea,
    invitedBy: uuid,
    days: integer,
    linkSealed: nullable(bytea),
    mailSeconds: nullable(float8),
    inviter: nullable(text),
  },
  row: INVITE_ROW,
  sql: `insert into workspace_invites
          (id, workspace_id, email, role, token_hash, invited_by, expires_at, link_sealed, next_mail_at)
        values ($1, $2, $3, $4, $5, $6, now() + make_interval(days => $7), $8, now() + make_interval(secs => $9))
        returning id, email, role, $10::text as inviter, created_at, expires_at, next_mail_at, mailed_at, mail_error`,
  isPrepared: false,
});

const queueMail = defineStatement({
  name: "queue_invite_mail",
  params: { inviteId: uuid },
  sql: `select ${addMailJob(INVITE_MAIL_JOB, "$1::uuid")}`,
  isPrepared: false,
});

/**
 * Creates a link that lets one address into the workspace, once, for seven days. An earlier invite for the address
 * stops working. If a mail server is set, a job sends the link by email, up to the daily limit; otherwise the person who
 * created it passes it on (decisions, Workspaces).
 * @throws ApiError FORBIDDEN (below admin, or a role above one's own), ALREADY_MEMBER, BAD_REQUEST for too many invites
 */
export async function createInvite(request: CreateInviteRequest): Promise<CreatedInvite> {
  const { workspaceId, actor, actorUserId, email, role } = request;
  const token = randomBytes(32).toString("base64url");
  const link = `${env().PUBLIC_BASE_URL}/signup?invite=${token}`;
  const inviteId = uuidv7();
  const invite = await prismaTransaction(async (tx) => {
    assertWithinRole(await lockMembers(tx, workspaceId, actorUserId, "admin"), role);
    await assertNoMember(tx, workspaceId, email);
    await tx.prisma.workspaceInvite.deleteMany({ where: { workspaceId, email, acceptedAt: null } });
    await assertRoom(tx.prisma, workspaceId);
    const isMailed = env().SMTP_URL !== undefined && (await takeInviteMail(tx, { inviteId, workspaceId, email }));
    const linkSealed = isMailed ? seal(workspaceId, inviteLinkContext(inviteId), link) : null;
    const row = await insertInvite.one(tx, {
      id: inviteId,
      workspaceId,
      email,
      role,
      tokenHash: hashInviteToken(token),
      invitedBy: actorUserId,
      days: LIMITS.inviteDays,
      linkSealed,
      mailSeconds: isMailed ? MAIL_UNATTENDED_SECONDS : null,
      inviter: actor.name,
    });
    if (isMailed) await queueMail.run(tx, { inviteId });
    const entry = {
      action: "member.invited" as const,
      objectType: "invite",
      objectId: row.id,
      details: { email, role },
    };
    await recordAudit(tx, { ...entry, workspaceId, actor });
    return presentInvite(row, new Date());
  });
  return { ...invite, link };
}

const selectMemberByEmail = defineStatement({
  name: "find_member_by_email",
  params: { workspaceId: uuid, email: text },
  row: { user_id: uuid },
  sql: `select m.user_id from workspace_members m join users u on u.id = m.user_id
        where m.workspace_id = $1 and u.email = $2`,
  isPrepared: false,
});

async function assertNoMember(tx: Db, workspaceId: string, email: string): Promise<void> {
  if (!(await selectMemberByEmail.first(tx, { workspaceId, email }))) return;
  const details: FieldError[] = [
    { field: "email", pointer: "/email", code: "custom", message: "belongs to a member of this workspace" },
  ];
  throw new ApiError("ALREADY_MEMBER", `${email} is already a member of this workspace.`, { details });
}

async function assertRoom(prisma: PrismaDb, workspaceId: string): Promise<void> {
  const count = await prisma.workspaceInvite.count({ where: { workspaceId, acceptedAt: null } });
  if (count >= LIMITS.openInvites) {
    throw new ApiError("BAD_REQUEST", `There are ${LIMITS.openInvites} unused invites. Withdraw some first.`);
  }
}
