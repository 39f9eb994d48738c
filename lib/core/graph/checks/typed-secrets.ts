import type { Definition, GraphNode } from "#lib/contract/graph";
import type { GraphProblem } from "#lib/contract/workflow";
import { nodeProblem, nodeWarning } from "#lib/core/graph/checks/problem";
import {
  findCredentials,
  findMasks,
  maskCredentials,
  type TypedCredential,
} from "#lib/core/redaction/find-credentials";
import type { HiddenText } from "#lib/core/redaction/mask-texts";
import { restoreRedacted } from "#lib/core/redaction/restore-redacted";
import { getPath } from "#lib/support/get-path";
import { canonicalJson } from "#lib/support/json";

/** Problems with secrets that were typed into a definition (decisions, Secrets in definitions). */
export const SECRET_IN_DEFINITION = "SECRET_IN_DEFINITION";
export const SECRET_MASKED = "SECRET_MASKED";

const known = new WeakMap<GraphNode, readonly TypedCredential[]>();

/** Returns the secrets in the settings of a node. The secret of a trigger is sealed when a draft is saved. */
export function typedSecretsOf(node: GraphNode): readonly TypedCredential[] {
  const before = known.get(node);
  if (before) return before;
  const found = findCredentials(node.data).filter(({ path }) => !isTriggerSecret(node, path));
  known.set(node, found);
  return found;
}

/** Returns the texts with secrets that people typed into a definition. */
export function secretTextsOf({ nodes }: Definition): HiddenText[] {
  return nodes.flatMap(typedSecretsOf);
}

/** Warns about each secret. A warning does not prevent publishing. */
export function warnSecrets({ nodes }: Definition): GraphProblem[] {
  return nodes.flatMap((node) =>
    typedSecretsOf(node).map(({ path }) => {
      const field = path.join(".");
      const message = `${field} contains a secret. Everyone who may edit this workflow can read it. Move it to a connection.`;
      return nodeWarning(node, SECRET_IN_DEFINITION, message, field);
    }),
  );
}

/** Finds masks that a definition has instead of secrets. They prevent publishing: a service would get the mask. */
export function checkMasks({ nodes }: Definition): GraphProblem[] {
  return nodes.flatMap((node) =>
    findMasks(node.data).map((path) => {
      const field = path.join(".");
      const message = `${field} contains [REDACTED] instead of a secret. Fill it in, or choose a connection.`;
      return nodeProblem(node, SECRET_MASKED, message, field);
    }),
  );
}

/** Returns the definition as readers who may not edit it see it, or the same reference if it has no secret. */
export function maskDefinition(definition: Definition): Definition {
  if (definition.nodes.every((node) => typedSecretsOf(node).length === 0)) return definition;
  return { ...definition, nodes: definition.nodes.map((node) => ({ ...node, data: maskData(node) })) };
}

function maskData(node: GraphNode): GraphNode["data"] {
  const masked = maskCredentials(node.data);
  return node.type === "trigger" && "secret" in node.data ? { ...masked, secret: node.data.secret } : masked;
}

/**
 * Returns a changed definition with the secrets of the definition before it: a key that read the mask and sends it back
 * keeps the secret. It does not if the request goes elsewhere, because the key could send the secret to its own host.
 */
export function keepSecrets(changed: Definition, before: Definition): Definition {
  const former = new Map(before.nodes.map((node) => [node.id, node]));
  const nodes = changed.nodes.map((node) => {
    const was = former.get(node.id);
    if (!was || findMasks(node.data).length === 0 || typedSecretsOf(was).length === 0) return node;
    if (!hasSameTarget(node, was)) return node;
    return { ...node, data: restoreRedacted(node.data, maskData(was), was.data).value };
  });
  return nodes.every((node, index) => node === changed.nodes[index]) ? changed : { ...changed, nodes };
}

const TARGET = [["connector"], ["operation"], ["connection_id"], ["action_slug"], ["params", "url"]];

function hasSameTarget(node: GraphNode, was: GraphNode): boolean {
  if (node.type !== was.type) return false;
  const shown = maskData(was);
  return TARGET.every((path) => canonicalJson(getPath(node.data, path)) === canonicalJson(getPath(shown, path)));
}

function isTriggerSecret({ type }: GraphNode, [first]: readonly (string | number)[]): boolean {
  return type === "trigger" && first === "secret";
}
