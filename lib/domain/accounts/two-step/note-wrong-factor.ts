import type { SecondFactor, SecondFactorProof } from "#lib/contract/account/account";
import { recordAudit } from "#lib/domain/audit/record-audit";
import { db } from "#lib/platform/db/pool";

interface WrongFactor {
  userId: string;
  proof: SecondFactorProof;
  /** The network address of a sign-in; null in a session. */
  address: string | null;
}

/** Records a wrong second factor in the activity of the account, whose user may be the one who did not send it. */
export async function noteWrongFactor({ userId, proof, address }: WrongFactor): Promise<void> {
  const actor = { type: "system" as const, id: null, name: null };
  const entry = { workspaceId: null, action: "user.second_factor_failed" as const, objectType: "user" };
  const details = { second_factor: factorOf(proof), address };
  await recordAudit(db(), { ...entry, actor, objectId: userId, details });
}

function factorOf(proof: SecondFactorProof): SecondFactor {
  if ("code" in proof) return "authenticator";
  return "passkey" in proof ? "passkey" : "recovery_code";
}
