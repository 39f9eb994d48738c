import type { GraphNode } from "#lib/contract/graph";
import { entriesOf, valuesAt } from "#lib/core/graph/checks/values-at";
import type { StepKind } from "#lib/core/steps/define-step-kind";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";

/** A text of a node's configuration in which expressions count. `field` is its dotted path inside `data`. */
export interface TemplateText {
  field: string;
  text: string;
  /** True where it may name what the node's own body gave. */
  isOfBody: boolean;
}

/** Every template of a node that holds `{{`. It reads data of any shape: a draft may hold anything. */
export function listTemplates(node: GraphNode): TemplateText[] {
  const { templates, bodyTemplates }: StepKind = STEP_KINDS[node.type];
  const textsAt = (pattern: string, isOfBody: boolean) =>
    valuesAt(node.data, pattern).flatMap((place) => textsBelow(place.field, place.value, isOfBody));
  return [
    ...templates.flatMap((pattern) => textsAt(pattern, false)),
    ...bodyTemplates.flatMap((pattern) => textsAt(pattern, true)),
  ];
}

function textsBelow(field: string, value: unknown, isOfBody: boolean): TemplateText[] {
  if (typeof value === "string") return value.includes("{{") ? [{ field, text: value, isOfBody }] : [];
  return entriesOf(field, value).flatMap((entry) => textsBelow(entry.field, entry.value, isOfBody));
}
