import { SEALED_PREFIX } from "#lib/graph/trigger-data";
import { seal, unseal } from "#lib/secrets/seal";

/** One context for all of a workspace: a node that is copied into another workflow takes its secret along. */
const CONTEXT = "definition_secret";

/** A secret as a definition may hold it: text that opens in this workspace only. */
export function sealText(workspaceId: string, secret: string): string {
  return SEALED_PREFIX + seal(workspaceId, CONTEXT, secret).toString("base64url");
}

/** The secret again; null for a text that was not sealed, or not for this workspace. */
export function openText(workspaceId: string, text: string): string | null {
  if (!text.startsWith(SEALED_PREFIX)) return null;
  try {
    return unseal<string>(workspaceId, CONTEXT, Buffer.from(text.slice(SEALED_PREFIX.length), "base64url"));
  } catch {
    return null;
  }
}
