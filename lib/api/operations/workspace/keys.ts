import { z } from "zod";
import { actorOf } from "#lib/api/operations/define/actor-of";
import { defineOperation } from "#lib/api/operations/define/define-operation";
import { pageInput } from "#lib/api/operations/define/list-page";
import { createKeyInput } from "#lib/contract/key/key-inputs";
import {
  createdKeySchema,
  keyActivitySchema,
  keyListSchema,
  keySchema,
  keyUsageSchema,
} from "#lib/contract/key/key-schema";
import { wireListOf } from "#lib/contract/wire/wire-values";
import { createKey } from "#lib/domain/keys/create-key";
import { getKeyUsage } from "#lib/domain/keys/get-key-usage";
import { keepBothKeys } from "#lib/domain/keys/keep-both-keys";
import { listKeyActivity } from "#lib/domain/keys/list-key-activity";
import { listKeys } from "#lib/domain/keys/list-keys";
import { revokeKey } from "#lib/domain/keys/revoke-key";
import { rotateKey } from "#lib/domain/keys/rotate-key";
import { windowLimit } from "#lib/domain/limits/take-request";

const keyId = z.uuid().describe("key_id from list_keys.");

/** Only people manage keys, in the web application (contract, API keys). Even reading them needs an admin. */
export const listKeysOperation = defineOperation({
  name: "list_keys",
  title: "List keys",
  description: "Lists the workspace's API keys and the plan's quota.",
  scope: "web",
  role: "admin",
  input: z.object(pageInput),
  output: keyListSchema,
  run: (caller, { limit, cursor }) => listKeys(caller.workspaceId, { limit, cursor }),
});

export const listKeyActivityOperation = defineOperation({
  name: "list_key_activity",
  title: "List key activity",
  description: "Returns the requests of every key in the last 24 hours, by hour.",
  scope: "web",
  role: "admin",
  input: z.object({}),
  output: wireListOf(keyActivitySchema),
  run: async (caller) => ({ data: await listKeyActivity(caller.workspaceId) }),
});

export const getKeyUsageOperation = defineOperation({
  name: "get_key_usage",
  title: "Get key usage",
  description:
    "Returns the use of a key in the last seven days: its calls, its refused requests and its current window.",
  scope: "web",
  role: "admin",
  input: z.object({ key_id: keyId }),
  output: keyUsageSchema,
  run: (caller, { key_id: id }) => getKeyUsage(caller.workspaceId, id, windowLimit),
});

export const createKeyOperation = defineOperation({
  name: "create_key",
  title: "Create key",
  description: "Creates an API key. Only this answer contains the raw key.",
  scope: "web",
  role: "admin",
  input: createKeyInput,
  output: createdKeySchema,
  run: (caller, input) =>
    createKey({
      workspaceId: caller.workspaceId,
      userId: caller.userId,
      actor: actorOf(caller),
      name: input.name,
      ...(input.scopes === undefined ? {} : { scopes: input.scopes }),
      ...(input.expires_at === undefined ? {} : { expiresAt: new Date(input.expires_at) }),
      ...(input.action_slugs === undefined ? {} : { actionSlugs: input.action_slugs }),
    }),
});

export const rotateKeyOperation = defineOperation({
  name: "rotate_key",
  title: "Rotate key",
  description:
    "Replaces a key with a new one that has the same name, scopes and expiry. Revokes the original at once, or keeps it.",
  scope: "web",
  role: "admin",
  input: z.object({
    key_id: keyId,
    keep_original: z.boolean().default(false).describe("Keep the original working until it is revoked."),
  }),
  output: createdKeySchema,
  run: (caller, input) =>
    rotateKey({
      workspaceId: caller.workspaceId,
      keyId: input.key_id,
      actor: actorOf(caller),
      keepsOriginal: input.keep_original,
    }),
});

export const keepBothKeysOperation = defineOperation({
  name: "keep_both_keys",
  title: "Keep both keys",
  description: "Finishes a rotation that kept the original: both keys stay active.",
  scope: "web",
  role: "admin",
  input: z.object({ key_id: keyId.describe("key_id of the replacement.") }),
  output: keySchema,
  run: (caller, input) =>
    keepBothKeys({ workspaceId: caller.workspaceId, keyId: input.key_id, actor: actorOf(caller) }),
});

export const revokeKeyOperation = defineOperation({
  name: "revoke_key",
  title: "Revoke key",
  description: "Revokes a key permanently. Its next request is refused.",
  scope: "web",
  role: "admin",
  input: z.object({ key_id: keyId }),
  output: keySchema,
  run: (caller, input) => revokeKey({ workspaceId: caller.workspaceId, keyId: input.key_id, actor: actorOf(caller) }),
});
