import type { PropertyType } from "#lib/contract/json-schema";
import { findNamedNode, type GraphIndex } from "#lib/core/graph/edges";
import type { StepKind } from "#lib/core/steps/define-step-kind";
import { asPropertyType } from "#lib/core/steps/property-fields";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { type Expression, scanTemplate } from "#lib/support/scan-template";

/** Limits the recursion: a transform can read from a transform, and in a draft even from itself. */
const DEPTH_MAX = 10;

/** Infers the JSON type that a template produces from the definition alone; null if it is only known at run time. */
export function typeOfTemplate(index: GraphIndex, template: unknown, depth = 0): PropertyType | null {
  if (typeof template !== "string") return typeOfValue(template);
  if (!template.includes("{{")) return "string";
  const { parts, errors } = scanTemplate(template);
  const [only, ...others] = parts;
  if (errors.length > 0 || depth > DEPTH_MAX) return null;
  // A template that is a single expression keeps the value's type; with text around it, it produces text.
  return only === undefined || others.length > 0 || typeof only === "string"
    ? "string"
    : typeOfExpression(index, only, depth);
}

function typeOfExpression(index: GraphIndex, { name, path }: Expression, depth: number): PropertyType | null {
  const node = findNamedNode(index, name);
  if (node === null || path.length === 0) return null;
  const kind: StepKind = STEP_KINDS[node.type];
  const fields = [...(kind.outputFields(node.data) ?? []), ...kind.itemFields];
  const field = fields.find((known) => startsWith(path, known.path) && path.length === known.path.length);
  if (field !== undefined) return "template" in field ? typeOfTemplate(index, field.template, depth + 1) : field.type;
  if (typeof path.at(-1) !== "number") return null;
  const list = fields.find((known) => startsWith(path, known.path) && path.length === known.path.length + 1);
  return list?.items ?? null;
}

function startsWith(path: readonly (string | number)[], start: readonly string[]): boolean {
  return start.every((key, at) => key === path[at]);
}

function typeOfValue(value: unknown): PropertyType | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : asPropertyType(typeof value);
}
