import { z } from "zod";
import { emailSchema } from "#lib/contract/account/person-inputs";
import { ApiError } from "#lib/contract/error/api-error";
import { SCOPES } from "#lib/contract/key/scopes";
import { LIMITS } from "#lib/contract/limits";
import type { CreatedKey } from "#lib/contract/wire/web";
import { getUserByEmail } from "#lib/domain/accounts/get-user-by-email";
import { createKey } from "#lib/domain/keys/create-key";
import { listKeys } from "#lib/domain/keys/list-keys";
import { revokeKey } from "#lib/domain/keys/revoke-key";
import { rotateKey } from "#lib/domain/keys/rotate-key";
import { getWorkspace, getWorkspaceOf, type WorkspaceRecord } from "#lib/domain/workspaces/get-workspace";
import { requireMember } from "#lib/domain/workspaces/require-member";
import { numeric } from "#lib/support/numbers/numeric";
import { ADMIN } from "#scripts/admin/admin-actor";
import { type AdminCommand, adminCommand } from "#scripts/admin/admin-command";

const createKeyInput = z.object({
  workspace: z.string(),
  name: z.string().trim().min(1).max(100),
  scopes: z
    .string()
    .transform((text) => text.split(",").map((scope) => scope.trim()))
    .pipe(z.array(z.enum(SCOPES)))
    .optional(),
  expires_at: z.iso.datetime({ offset: true }).optional(),
  action_slugs: z
    .string()
    .transform((text) => text.split(",").map((slug) => slug.trim()))
    .optional(),
  owner: emailSchema.optional(),
});
const keyInput = z.object({ key_id: z.uuid() });
const listKeysInput = z.object({
  workspace: z.string(),
  limit: numeric(z.number().int().min(1).max(LIMITS.pageSizeMax)).default(LIMITS.pageSizeMax),
  cursor: z.string().optional(),
});

export const KEY_COMMANDS: Record<string, AdminCommand> = {
  "create-key": adminCommand(createKeyInput, async ({ workspace, name, scopes, expires_at, action_slugs, owner }) => {
    const record = await getWorkspace(workspace);
    const userId = await creatorOf(record, owner);
    const made = await createKey({
      workspaceId: record.workspaceId,
      userId,
      actor: ADMIN,
      name,
      ...(scopes === undefined ? {} : { scopes }),
      ...(expires_at === undefined ? {} : { expiresAt: new Date(expires_at) }),
      ...(action_slugs === undefined ? {} : { actionSlugs: action_slugs }),
    });
    return presentCreated(made);
  }),
  "rotate-key": adminCommand(keyInput, async ({ key_id: keyId }) => {
    const { workspaceId } = await getWorkspaceOf("key", keyId);
    return presentCreated(await rotateKey({ workspaceId, keyId, actor: ADMIN }));
  }),
  "revoke-key": adminCommand(keyInput, async ({ key_id: keyId }) => {
    const { workspaceId } = await getWorkspaceOf("key", keyId);
    return revokeKey({ workspaceId, keyId, actor: ADMIN });
  }),
  "list-keys": adminCommand(listKeysInput, async ({ workspace, limit, cursor }) => {
    const { workspaceId } = await getWorkspace(workspace);
    return listKeys(workspaceId, { limit, cursor });
  }),
};

/** Returns the member whose run limit the key's runs count toward: the named member, or the workspace's owner. */
async function creatorOf(record: WorkspaceRecord, owner: string | undefined): Promise<string> {
  if (owner === undefined) {
    if (record.ownerId !== null) return record.ownerId;
    throw new ApiError("BAD_REQUEST", `The workspace ${record.slug} has no owner: name a member with --owner.`);
  }
  const { userId } = await getUserByEmail(owner);
  await requireMember(record.workspaceId, userId);
  return userId;
}

function presentCreated({ key_id, raw_key, prefix, scopes, action_slugs }: CreatedKey) {
  return { key_id, raw_key, prefix, scopes, ...(action_slugs === null ? {} : { action_slugs }) };
}
