import type { JsonObject } from "#lib/contract/wire/json-schema";
import { endOtherSessions } from "#lib/domain/accounts/end-sessions";
import { isTwoStepOn } from "#lib/domain/accounts/two-step/get-two-step";
import { issueRecoveryCodes } from "#lib/domain/accounts/two-step/recovery-codes";
import { requireOwnProviders } from "#lib/domain/accounts/two-step/require-own-providers";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import type { PrismaTx } from "#lib/platform/db/prisma";

interface NewFactor {
  userId: string;
  actor: Actor;
  sessionId: string | null;
  action: "user.authenticator_added" | "user.passkey_added";
  details?: JsonObject;
}

/**
 * Adds a second factor with its audit row. The first one turns two-step verification on: it comes with recovery codes,
 * and everything that a password alone has opened or can still open ends: other sessions, sign-ins in progress, and
 * known devices.
 * @param add writes the factor
 * @returns recovery codes for the first factor, otherwise null
 * @throws ApiError FORBIDDEN for the first factor of an owner who did not come through a required provider
 */
export async function noteNewFactor(
  tx: PrismaTx,
  { userId, actor, sessionId, action, details = {} }: NewFactor,
  add: () => Promise<void>,
): Promise<string[] | null> {
  await requireOwnProviders(tx, userId, sessionId);
  const wasOn = await isTwoStepOn(tx, userId);
  await add();
  await recordAudit(tx, { workspaceId: null, actor, action, objectType: "user", objectId: userId, details });
  if (wasOn) return null;
  await endOtherSessions(tx.prisma, userId, sessionId);
  const entry = {
    workspaceId: null,
    actor,
    action: "user.two_step_turned_on" as const,
    objectType: "user",
    objectId: userId,
  };
  await recordAudit(tx, entry);
  return issueRecoveryCodes(tx, userId);
}
