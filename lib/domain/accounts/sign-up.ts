import { z } from "zod";
import { ApiError } from "#lib/contract/api-error";
import { isTimeZone } from "#lib/core/schedules/wall-time";
import { createUser } from "#lib/domain/accounts/create-user";
import { findSignUpMode } from "#lib/domain/accounts/find-sign-up-mode";
import { hashPassword, PASSWORD_MAX_CHARACTERS, PASSWORD_MIN_CHARACTERS } from "#lib/domain/accounts/hash-password";
import { createWorkspace } from "#lib/domain/workspaces/create-workspace";
import { joinWorkspace } from "#lib/domain/workspaces/invites/accept-invite";
import { getInvite } from "#lib/domain/workspaces/invites/find-invite";
import { env } from "#lib/platform/config/env";
import type { Db } from "#lib/platform/db/pool";
import { transaction } from "#lib/platform/db/transaction";
import { normalizeEmail } from "#lib/support/normalize-email";

/** Any constant will do: one sign-up at a time decides who is first. */
const SIGN_UP_LOCK = 7_301_850;

export const emailSchema = z.string().transform((raw, context) => {
  const email = normalizeEmail(raw);
  if (email !== null) return email;
  context.addIssue({ code: "custom", message: "must be an e-mail address such as ann@example.com" });
  return z.NEVER;
});
export const passwordSchema = z
  .string()
  .min(PASSWORD_MIN_CHARACTERS, `must have at least ${PASSWORD_MIN_CHARACTERS} characters`)
  .max(PASSWORD_MAX_CHARACTERS, `must have at most ${PASSWORD_MAX_CHARACTERS} characters`);
export const personNameSchema = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(100, "must have at most 100 characters")
  .regex(/^\P{Cc}+$/u, "must not hold control characters");

export const timeZoneSchema = z
  .string()
  .max(100)
  .refine(isTimeZone, { message: "must be a time zone such as Europe/Berlin", abort: true });

export const signUpSchema = z.strictObject({
  name: personNameSchema,
  email: emailSchema,
  password: passwordSchema,
  workspace_name: personNameSchema.optional(),
  /** Of the new workspace; the browser's own. One that is unknown here must not stand in the way of an account. */
  time_zone: timeZoneSchema.optional().catch(undefined),
  /** The token of the invite link, /signup?invite=<token>. */
  invite: z.string().min(1).max(200).optional(),
});
type SignUpRequest = z.output<typeof signUpSchema>;

/**
 * Creates an account. On an empty database the first one owns the instance and gets a workspace; later ones need an
 * open invite for their address, unless the instance allows everybody (ALLOW_SIGNUP).
 * @throws ApiError FORBIDDEN without a way in, EMAIL_TAKEN
 */
export async function signUp(request: SignUpRequest): Promise<{ userId: string; workspaceId: string }> {
  // Refused before the expensive hash; the transaction below decides for good.
  const { mode } = await findSignUpMode(request.invite ?? null);
  if (mode === "closed") throw closed();
  const passwordHash = await hashPassword(request.password);
  return transaction(async (tx) => {
    const { isFirst } = await lockSignUps(tx);
    const account = { email: request.email, name: request.name, passwordHash };
    if (!isFirst && request.invite !== undefined) return joinByInvite(tx, account, request.invite);
    if (!isFirst && !env().ALLOW_SIGNUP) throw closed();
    const { userId } = await createUser(tx, account);
    const name = request.workspace_name ?? `${request.name}'s workspace`;
    const timeZone = request.time_zone ?? "UTC";
    const { workspaceId } = await createWorkspace(tx, { name, timeZone, ownerId: userId });
    return { userId, workspaceId };
  });
}

/** Lets one sign-up at a time go on, until the transaction ends: two cannot both be the first account. */
export async function lockSignUps(tx: Db): Promise<{ isFirst: boolean }> {
  await tx.query({ text: "select pg_advisory_xact_lock($1)", values: [SIGN_UP_LOCK] });
  const { rows } = await tx.query<{ is_empty: boolean }>({
    text: "select not exists (select 1 from users) as is_empty",
  });
  return { isFirst: rows[0]?.is_empty ?? false };
}

async function joinByInvite(
  tx: Db,
  account: { email: string; name: string; passwordHash: string },
  token: string,
): Promise<{ userId: string; workspaceId: string }> {
  // Before the account: an invite for another address must not tell who has one.
  const invite = await getInvite(tx, token, account.email);
  const { userId } = await createUser(tx, account);
  await joinWorkspace(tx, invite, { userId, name: account.name });
  return { userId, workspaceId: invite.workspaceId };
}

function closed(): ApiError {
  return new ApiError("FORBIDDEN", "New accounts need an invite. Ask an administrator of this instance for one.");
}
