import { randomBytes } from "node:crypto";
import { bytea, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { seal, unseal } from "#lib/platform/secrets/seal";
import { remember } from "#lib/support/sized-cache";

const SECRET_BYTES = 32;

/** Secrets never change, so each process reads them once. */
const known = new Map<string, Buffer>();
const KNOWN_MAX = 1_000;

const selectSecret = defineStatement({
  name: "find_callback_secret",
  params: { workspaceId: uuid },
  row: { secret_sealed: bytea },
  sql: "select secret_sealed from callback_secrets where workspace_id = $1",
});

const insertSecret = defineStatement({
  name: "create_callback_secret",
  params: { workspaceId: uuid, sealed: bytea },
  sql: "insert into callback_secrets (workspace_id, secret_sealed) values ($1, $2) on conflict do nothing",
});

export function callbackSecretContext(workspaceId: string): string {
  return `callback secret|${workspaceId}`;
}

/** Returns the secret that signs the addresses of a workspace, or null if the workspace has no address yet. */
export async function findCallbackSecret(db: Db, workspaceId: string): Promise<Buffer | null> {
  const before = known.get(workspaceId);
  if (before) return before;
  const row = await selectSecret.first(db, { workspaceId });
  if (!row) return null;
  const text = unseal<string>(workspaceId, callbackSecretContext(workspaceId), row.secret_sealed);
  const secret = Buffer.from(text, "base64");
  remember(known, workspaceId, secret, KNOWN_MAX);
  return secret;
}

/** Returns the secret, and creates it the first time. Two workers that create it at once use the same one. */
export async function getCallbackSecret(db: Db, workspaceId: string): Promise<Buffer> {
  const before = await findCallbackSecret(db, workspaceId);
  if (before) return before;
  const text = randomBytes(SECRET_BYTES).toString("base64");
  await insertSecret.run(db, { workspaceId, sealed: seal(workspaceId, callbackSecretContext(workspaceId), text) });
  const secret = await findCallbackSecret(db, workspaceId);
  if (!secret) throw new Error(`the workspace ${workspaceId} no longer exists`);
  return secret;
}
