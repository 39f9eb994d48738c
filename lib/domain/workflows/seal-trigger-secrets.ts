import { LIMITS } from "#lib/contract/limits";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { MISSING_SECRET, SEALED_PREFIX } from "#lib/core/steps/trigger/trigger-data";
import { encryptionKeys } from "#lib/platform/secrets/seal";
import { keyIdOfText, openText, sealText } from "#lib/platform/secrets/seal-text";

/**
 * Returns a definition as it may be stored: the secrets of its triggers are encrypted, so that people who may read
 * workflows cannot read them in drafts, versions, test runs or exports.
 * @param before the draft it replaces: a secret that is the same keeps its sealed text and is no change
 */
export function sealTriggerSecrets(workspaceId: string, definition: Definition, before?: Definition): Definition {
  const secretOf = (node: GraphNode) => (node.type === "trigger" ? secretToSeal(workspaceId, node) : null);
  if (definition.nodes.every((node) => secretOf(node) === null)) return definition;
  const known = (before?.nodes ?? []).flatMap(({ data: { secret } }) =>
    typeof secret === "string" && isSealedNow(secret) ? [secret] : [],
  );
  const nodes = definition.nodes.map((node) => {
    const secret = secretOf(node);
    if (secret === null) return node;
    const sealed = known.find((text) => openText(workspaceId, text) === secret) ?? sealText(workspaceId, secret);
    return { ...node, data: { ...node.data, secret: sealed } };
  });
  return { ...definition, nodes };
}

/**
 * Seals a secret as it was typed, or one that an older key sealed: a client that read the definition before everything
 * was sealed again sends the old text. A secret that is missing, too long or blank is left as it is, for the publish
 * checks to report.
 */
function secretToSeal(workspaceId: string, { data: { secret } }: GraphNode): string | null {
  if (typeof secret !== "string" || secret === MISSING_SECRET || isSealedNow(secret)) return null;
  if (secret.startsWith(SEALED_PREFIX)) return openText(workspaceId, secret);
  return secret.trim() !== "" && secret.length <= LIMITS.webhookSecretCharacters ? secret : null;
}

function isSealedNow(secret: string): boolean {
  return keyIdOfText(secret) === encryptionKeys().currentId;
}
