import { ApiError } from "#lib/contract/error/api-error";
import { limitedScopesProblem } from "#lib/contract/key/key-inputs";
import { DEFAULT_SCOPES, effectiveScopes, SCOPES, type Scope } from "#lib/contract/key/scopes";
import type { CreatedKey } from "#lib/contract/wire/web";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { requireFreeKeySlot } from "#lib/domain/keys/count-active-keys";
import { insertKey } from "#lib/domain/keys/insert-key";
import { presentKey } from "#lib/domain/keys/present-key";
import { type PrismaDb, prismaTransaction } from "#lib/platform/db/prisma";

export interface CreateKeyRequest {
  workspaceId: string;
  /** The key's creator, whose run limit its runs count against. */
  userId: string;
  actor: Actor;
  name: string;
  /** Defaults to the contract's six scopes, or to those of them that a limited key may hold. */
  scopes?: readonly Scope[];
  expiresAt?: Date;
  /** Limits the key to these actions; defaults to all. */
  actionSlugs?: readonly string[];
}

/**
 * Issues a key. Only the answer contains the raw key (contract, API keys; decisions, API keys).
 * @throws ApiError BAD_REQUEST (an expiry that has passed, an action that does not exist, scopes that a limited key may
 * not hold), KEY_QUOTA_EXCEEDED
 */
export async function createKey(request: CreateKeyRequest): Promise<CreatedKey> {
  const { workspaceId, userId, actor } = request;
  const now = new Date();
  if (request.expiresAt && !(request.expiresAt > now)) {
    throw new ApiError("BAD_REQUEST", "expires_at: must be in the future");
  }
  const problem = limitedScopesProblem(request.scopes, request.actionSlugs);
  if (problem !== null) throw new ApiError("BAD_REQUEST", `scopes: ${problem}`);
  const wanted = effectiveScopes(request.scopes ?? DEFAULT_SCOPES, request.actionSlugs ?? null);
  return prismaTransaction(async (tx) => {
    await requireFreeKeySlot(tx, workspaceId);
    if (request.actionSlugs) await assertActionsExist(tx.prisma, workspaceId, request.actionSlugs);
    const { row, rawKey } = await insertKey(tx, {
      workspaceId,
      userId,
      name: request.name,
      // In the contract's order, once each.
      scopes: SCOPES.filter((scope) => wanted.includes(scope)),
      expiresAt: request.expiresAt ?? null,
      actionSlugs: request.actionSlugs ? [...new Set(request.actionSlugs)] : null,
      rotatedFromId: null,
    });
    await recordAudit(tx, {
      workspaceId,
      actor,
      action: "key.created",
      objectType: "api_key",
      objectId: row.id,
      details: { name: row.name, prefix: row.prefix, scopes: row.scopes, action_slugs: row.action_slugs },
    });
    return { ...presentKey(row, now), raw_key: rawKey };
  });
}

async function assertActionsExist(prisma: PrismaDb, workspaceId: string, slugs: readonly string[]): Promise<void> {
  const where = { workspaceId, slug: { in: [...slugs] } };
  const known = await prisma.action.findMany({ where, select: { slug: true } });
  const missing = slugs.filter((slug) => !known.some((row) => row.slug === slug));
  if (missing.length > 0) throw new ApiError("BAD_REQUEST", `action_slugs: there is no action ${missing.join(", ")}`);
}
