import type { TwoStepState } from "#lib/contract/account/account";
import { passkeyParty } from "#lib/domain/accounts/two-step/passkey-party";
import { countRecoveryCodes } from "#lib/domain/accounts/two-step/recovery-codes";
import { boolean, nullable, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { prisma } from "#lib/platform/db/prisma";

const selectOn = defineStatement({
  name: "find_two_step",
  params: { userId: uuid },
  row: { is_on: nullable(boolean) },
  sql: "select has_two_step($1) as is_on",
  isPrepared: false,
});

/** Whether a sign-in of this person needs a second factor. */
export async function isTwoStepOn(tx: Db, userId: string): Promise<boolean> {
  return (await selectOn.first(tx, { userId }))?.is_on === true;
}

/** Returns a person's second factors, without anything secret. */
export async function getTwoStep(userId: string): Promise<TwoStepState> {
  const [totp, passkeys, left, strict] = await Promise.all([
    prisma().userTotp.findFirst({ where: { userId, confirmedAt: { not: null } }, select: { userId: true } }),
    prisma().userPasskey.findMany({ where: { userId }, orderBy: [{ createdAt: "asc" }, { id: "asc" }] }),
    countRecoveryCodes(prisma(), userId),
    prisma().workspace.findMany({
      where: { requireTwoStep: true, workspaceMembers: { some: { userId } } },
      select: { name: true },
      orderBy: { name: "asc" },
    }),
  ]);
  return {
    is_on: totp !== null || passkeys.length > 0,
    has_authenticator: totp !== null,
    passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
      passkey_id: id,
      name,
      created_at: createdAt.toISOString(),
      last_used_at: lastUsedAt?.toISOString() ?? null,
    })),
    recovery_codes_left: left,
    required_by: strict.map(({ name }) => name),
    can_add_passkeys: passkeyParty().isUsable,
  };
}
