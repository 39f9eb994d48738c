import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { nodeProblem, nodeWarning } from "#lib/core/graph/checks/problem";
import {
  findCredentials,
  findMasks,
  maskCredentials,
  type TypedCredential,
} from "#lib/core/redaction/find-credentials";
import type { HiddenText } from "#lib/core/redaction/mask-texts";

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
      const message = isTriggerSecret(node, path)
        ? "The secret is missing, because exports leave secrets out. Set a new one, or remove it."
        : `${field} contains [REDACTED] instead of a secret. Fill it in, or choose a connection.`;
      return nodeProblem(node, SECRET_MASKED, message, field);
    }),
  );
}

/** Returns the definition as readers who may not edit it see it, or the same reference if it has no secret. */
export function maskDefinition(definition: Definition): Definition {
  if (definition.nodes.every((node) => typedSecretsOf(node).length === 0)) return definition;
  return { ...definition, nodes: definition.nodes.map((node) => ({ ...node, data: maskData(node) })) };
}

/** Returns the configuration of a node without its secrets. */
export function maskData(node: GraphNode): GraphNode["data"] {
  const masked = maskCredentials(node.data);
  return node.type === "trigger" && "secret" in node.data ? { ...masked, secret: node.data.secret } : masked;
}

function isTriggerSecret({ type }: GraphNode, [first]: readonly (string | number)[]): boolean {
  return type === "trigger" && first === "secret";
}
