import type { GraphNode } from "#lib/contract/graph";
import type { GraphProblem } from "#lib/contract/workflow";
import { findNamedNode, type GraphIndex } from "#lib/graph/edges";
import { listTemplates } from "#lib/graph/list-templates";
import { nodeLabel } from "#lib/graph/node-data";
import { nodeProblem } from "#lib/graph/problem";
import { isJsonObject } from "#lib/support/json";
import { type Expression, scanTemplate } from "#lib/support/scan-template";

/**
 * Every expression is well formed, names a node that runs before the one it stands in, and asks the input only for
 * fields that it declares (decisions, The graph document).
 */
export function checkReferences(index: GraphIndex, upstream: ReadonlyMap<string, Set<string>>): GraphProblem[] {
  const inputFields = declaredFields(index);
  return index.definition.nodes.flatMap((node) => {
    const visible = upstream.get(node.id) ?? new Set();
    return listTemplates(node).flatMap(({ field, text }) => {
      const { parts, errors } = scanTemplate(text);
      const problems = errors.map((error) =>
        nodeProblem(
          node,
          "INVALID_EXPRESSION",
          `${error.source} in ${field} is not an expression: ${error.message}. Write \\{{ for literal braces.`,
          field,
        ),
      );
      const told = new Set<string>();
      for (const part of parts) {
        if (typeof part === "string" || told.has(part.source)) continue;
        told.add(part.source);
        const problem = checkReference(index, part, visible, inputFields);
        if (!problem) continue;
        const source = part.source.length > 80 ? `${part.source.slice(0, 79)}…` : part.source;
        problems.push(nodeProblem(node, problem.code, `${source} in ${field} ${problem.message}`, field));
      }
      return problems;
    });
  });
}

interface ReferenceProblem {
  code: string;
  message: string;
}

function checkReference(
  index: GraphIndex,
  expression: Expression,
  visible: ReadonlySet<string>,
  inputFields: ReadonlySet<string> | null,
): ReferenceProblem | null {
  const named = findNamedNode(index, expression.name);
  if (!named) return { code: "UNKNOWN_REFERENCE", message: `names "${expression.name}", but there is no such node` };
  if (!visible.has(named.id)) {
    return { code: "REFERENCE_NOT_UPSTREAM", message: "names a node that does not run before this one" };
  }
  const [first] = expression.path;
  if (named !== index.entry || first === undefined || !inputFields || inputFields.has(String(first))) return null;
  return { code: "UNKNOWN_INPUT_FIELD", message: `asks for "${first}", which ${nodeLabel(named)} does not declare` };
}

/** The names of the action's input properties; null where the entry is of another kind or its data unreadable. */
function declaredFields(index: GraphIndex): ReadonlySet<string> | null {
  const entry: GraphNode | null = index.entry;
  if (entry?.type !== "action_input" || !Array.isArray(entry.data.properties)) return null;
  return new Set(entry.data.properties.map((property) => (isJsonObject(property) ? String(property.name) : "")));
}
