import type { GraphNode } from "#lib/contract/workflow/graph";
import { templateReferences } from "#lib/core/expressions/template-references";
import { listTemplates } from "#lib/core/graph/checks/list-templates";
import { findNamedNode, type GraphIndex } from "#lib/core/graph/edges";
import { programOf } from "#lib/core/steps/define-step-kind";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";

/**
 * Answers whether the shape of a template is certain. It is not if a value comes from a service that only documents its
 * answers, or from a program, directly or through other steps.
 */
export function createTrust(index: GraphIndex): (template: unknown) => boolean {
  const known = new Map<GraphNode, boolean>();

  function isTrusted(template: unknown): boolean {
    return templateReferences(template).every(({ name }) => isTrustedStep(findNamedNode(index, name)));
  }

  function isTrustedStep(node: GraphNode | null): boolean {
    if (node === null) return false;
    const before = known.get(node);
    if (before !== undefined) return before;
    known.set(node, true);
    const kind = STEP_KINDS[node.type];
    const isSource = programOf(kind, node.data) !== null || kind.isDocumented(node.data);
    const isCertain = !isSource && listTemplates(node).every(({ text }) => isTrusted(text));
    known.set(node, isCertain);
    return isCertain;
  }

  return isTrusted;
}
