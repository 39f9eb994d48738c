import { SEALED_PREFIX } from "#lib/core/steps/trigger/trigger-data";
import { keyIdOf, seal, unseal } from "#lib/platform/secrets/seal";

/** One context for all of a workspace: a node that is copied into another workflow takes its secret along. */
const CONTEXT = "definition_secret";

/** A secret as a definition may hold it: text that opens in this workspace only. */
export function sealText(workspaceId: string, secret: string): string {
  return SEALED_PREFIX + seal(workspaceId, CONTEXT, secret).toString("base64url");
}

/** The id of the key that sealed the text; null for one that was never sealed. */
export function keyIdOfText(text: string): string | null {
  return text.startsWith(SEALED_PREFIX) ? keyIdOf(bytesOf(text)) : null;
}

/** The secret again; null for a text that was not sealed, or not for this workspace. */
export function openText(workspaceId: string, text: string): string | null {
  if (!text.startsWith(SEALED_PREFIX)) return null;
  try {
    return unseal<string>(workspaceId, CONTEXT, bytesOf(text));
  } catch {
    return null;
  }
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text.slice(SEALED_PREFIX.length), "base64url");
}
