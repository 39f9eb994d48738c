import type { z } from "zod";
import type { signUpInput } from "#lib/contract/account/person-inputs";
import { ApiError } from "#lib/contract/error/api-error";
import { assertStrongPassword } from "#lib/domain/accounts/assert-strong-password";
import { createUser } from "#lib/domain/accounts/create-user";
import { findSignUpMode, isFirstSignUp } from "#lib/domain/accounts/find-sign-up-mode";
import { hashPassword } from "#lib/domain/accounts/hash-password";
import { createWorkspace } from "#lib/domain/workspaces/create-workspace";
import { joinWorkspace } from "#lib/domain/workspaces/invites/accept-invite";
import { getInvite } from "#lib/domain/workspaces/invites/find-invite";
import { env } from "#lib/platform/config/env";
import { bigint } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type PrismaTx, prismaTransaction } from "#lib/platform/db/prisma";

/** An arbitrary lock id: one sign-up at a time decides which account is first. */
const SIGN_UP_LOCK = 7_301_850;

type SignUpRequest = z.output<typeof signUpInput>;

/**
 * Creates an account. On an empty database the first one owns the instance and gets a workspace; later ones need an
 * open invite for their address, unless the instance allows sign-up (ALLOW_SIGNUP).
 * @throws ApiError FORBIDDEN without permission to sign up, EMAIL_TAKEN
 */
export async function signUp(request: SignUpRequest): Promise<{ userId: string; workspaceId: string }> {
  // Refused before the expensive hash; the transaction below makes the final decision.
  const { mode } = await findSignUpMode(request.invite ?? null);
  if (mode === "closed") throw closed();
  await assertStrongPassword(request.password, "password", [request.email, request.name]);
  const passwordHash = await hashPassword(request.password);
  return prismaTransaction(async (tx) => {
    const { isFirst } = await lockSignUps(tx);
    const account = { email: request.email, name: request.name, passwordHash };
    if (!isFirst && request.invite !== undefined) return joinByInvite(tx, account, request.invite);
    if (!isFirst && !env().ALLOW_SIGNUP) throw closed();
    const { userId } = await createUser(tx.prisma, account);
    const name = request.workspace_name ?? `${request.name}'s workspace`;
    const timeZone = request.time_zone ?? "UTC";
    const { workspaceId } = await createWorkspace(tx.prisma, { name, timeZone, ownerId: userId });
    return { userId, workspaceId };
  });
}

const takeSignUpLock = defineStatement({
  name: "lock_sign_ups",
  params: { lock: bigint },
  sql: "select pg_advisory_xact_lock($1)",
  isPrepared: false,
});

/** Lets one sign-up at a time continue until the transaction ends, so that two cannot both be the first account. */
export async function lockSignUps(tx: PrismaTx): Promise<{ isFirst: boolean }> {
  await takeSignUpLock.run(tx, { lock: SIGN_UP_LOCK });
  return { isFirst: await isFirstSignUp(tx.prisma) };
}

async function joinByInvite(
  tx: PrismaTx,
  account: { email: string; name: string; passwordHash: string },
  token: string,
): Promise<{ userId: string; workspaceId: string }> {
  // Checked before the account: an invite for another address must not reveal who has one.
  const invite = await getInvite(tx, token, account.email);
  const { userId } = await createUser(tx.prisma, account);
  await joinWorkspace(tx, invite, { userId, name: account.name });
  return { userId, workspaceId: invite.workspaceId };
}

function closed(): ApiError {
  return new ApiError(
    "FORBIDDEN",
    "New accounts need an invite. Ask a workspace admin or the operator of this instance for one.",
  );
}
