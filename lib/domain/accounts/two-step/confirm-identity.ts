import type { SecondFactorProof } from "#lib/contract/account/account";
import { ApiError, type FieldError } from "#lib/contract/error/api-error";
import { forgetAttempts, requireAttempt } from "#lib/domain/accounts/attempts/take-sign-in-attempt";
import { findAccountById } from "#lib/domain/accounts/find-account";
import { verifyPassword } from "#lib/domain/accounts/hash-password";
import { noteWrongFactor } from "#lib/domain/accounts/two-step/note-wrong-factor";
import { verifySecondFactor } from "#lib/domain/accounts/two-step/verify-second-factor";
import { db } from "#lib/platform/db/pool";
import { prisma } from "#lib/platform/db/prisma";

interface ConfirmIdentityRequest {
  userId: string;
  sessionId: string | null;
  proof: SecondFactorProof | { password: string };
}

/**
 * Proves again who uses a session, before a change of the account's security. With two-step verification the password
 * is not enough: a thief who has it must not be able to remove the second factor.
 * @throws ApiError BAD_REQUEST naming the field of the wrong proof, RATE_LIMIT_EXCEEDED after too many attempts
 */
export async function confirmIdentity({ userId, sessionId, proof }: ConfirmIdentityRequest): Promise<void> {
  const kind = "password" in proof ? "password" : "confirmation";
  await requireAttempt(kind, userId);
  const refusal =
    "password" in proof ? await refusePassword(userId, proof.password) : await refuseFactor(userId, proof);
  if (refusal !== null) throw wrongField(refusal.field, refusal.message);
  await forgetAttempts(db(), kind, userId);
  if (sessionId === null) return;
  await prisma().userSession.updateMany({ where: { userId, id: sessionId }, data: { verifiedAt: new Date() } });
}

interface Refusal {
  field: string;
  message: string;
}

async function refusePassword(userId: string, password: string): Promise<Refusal | null> {
  const account = await findAccountById(userId);
  if (account?.has_two_step) return { field: "password", message: "is not enough; use your second factor" };
  const isRight = await verifyPassword(account?.password_hash ?? null, password);
  return isRight ? null : { field: "password", message: "is not your password" };
}

async function refuseFactor(userId: string, proof: SecondFactorProof): Promise<Refusal | null> {
  if ((await verifySecondFactor(userId, proof, "confirm")) !== null) return null;
  await noteWrongFactor({ userId, proof, address: null });
  if ("passkey" in proof) return { field: "passkey", message: "could not be verified; try again" };
  return { field: "code" in proof ? "code" : "recovery_code", message: "is wrong or was already used" };
}

function wrongField(field: string, message: string): ApiError {
  const details: FieldError[] = [{ field, pointer: `/${field}`, code: "custom", message }];
  return new ApiError("BAD_REQUEST", `${field}: ${message}`, { details });
}
