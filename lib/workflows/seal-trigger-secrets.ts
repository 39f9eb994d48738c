import type { Definition, GraphNode } from "#lib/contract/graph";
import { SEALED_PREFIX } from "#lib/graph/trigger-data";
import { openText, sealText } from "#lib/secrets/seal-text";

/**
 * A definition as it may be stored: the secrets of its triggers are encrypted, so that nobody who may read workflows
 * reads them, in drafts, versions, test runs or exports.
 * @param before the draft it replaces: a secret that stays the same stays sealed as it was, and is no change
 */
export function sealTriggerSecrets(workspaceId: string, definition: Definition, before?: Definition): Definition {
  const isOpen = (node: GraphNode) => node.type === "trigger" && openSecretOf(node) !== null;
  if (!definition.nodes.some(isOpen)) return definition;
  const known = before?.nodes.flatMap((node) => (typeof node.data.secret === "string" ? [node.data.secret] : [])) ?? [];
  const nodes = definition.nodes.map((node) => {
    const secret = isOpen(node) ? openSecretOf(node) : null;
    if (secret === null) return node;
    const sealed = known.find((text) => openText(workspaceId, text) === secret) ?? sealText(workspaceId, secret);
    return { ...node, data: { ...node.data, secret: sealed } };
  });
  return { ...definition, nodes };
}

/** What the rules of publishing refuse, too long or blank, is left for them to name. */
function openSecretOf({ data: { secret } }: GraphNode): string | null {
  const isSecret = typeof secret === "string" && secret.trim() !== "" && secret.length <= 500;
  return isSecret && !secret.startsWith(SEALED_PREFIX) ? secret : null;
}
