import { SEALED_PREFIX } from "#lib/core/steps/trigger/trigger-data";
import { keyIdOf, seal, unseal } from "#lib/platform/secrets/seal";

/** One context for the whole workspace: a node copied into another workflow takes its secret along. */
const CONTEXT = "definition_secret";

/** Seals a secret for a definition: as text that opens only in this workspace. */
export function sealText(workspaceId: string, secret: string): string {
  return SEALED_PREFIX + seal(workspaceId, CONTEXT, secret).toString("base64url");
}

/** Returns the id of the key that sealed the text, or null for text that was never sealed. */
export function keyIdOfText(text: string): string | null {
  return text.startsWith(SEALED_PREFIX) ? keyIdOf(bytesOf(text)) : null;
}

/** Returns the secret, or null for text that was not sealed or not for this workspace. */
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
