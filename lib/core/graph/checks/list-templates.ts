import type { GraphNode } from "#lib/contract/workflow/graph";
import { entriesOf, valuesAt } from "#lib/core/graph/checks/values-at";
import type { StepKind } from "#lib/core/steps/define-step-kind";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";

/** A text in a node's configuration that can contain expressions. `field` is its dotted path inside `data`. */
export interface TemplateText {
  field: string;
  text: string;
  /** True if it can refer to the output of the node's own body. */
  isOfBody: boolean;
}

/** Lists every text of a node that contains `{{` where expressions are filled in. */
export function listTemplates(node: GraphNode): TemplateText[] {
  return listTexts(node).filter(({ text }) => text.includes("{{"));
}

/**
 * Lists every text of a node in which expressions are filled in, with or without one. Accepts data of any shape, because a
 * draft may contain anything.
 */
export function listTexts(node: GraphNode): TemplateText[] {
  const { templates, bodyTemplates }: StepKind = STEP_KINDS[node.type];
  const textsAt = (pattern: string, isOfBody: boolean) =>
    valuesAt(node.data, pattern).flatMap((place) => textsBelow(place.field, place.value, isOfBody));
  return [
    ...templates.flatMap((pattern) => textsAt(pattern, false)),
    ...bodyTemplates.flatMap((pattern) => textsAt(pattern, true)),
  ];
}

function textsBelow(field: string, value: unknown, isOfBody: boolean): TemplateText[] {
  if (typeof value === "string") return [{ field, text: value, isOfBody }];
  return entriesOf(field, value).flatMap((entry) => textsBelow(entry.field, entry.value, isOfBody));
}
