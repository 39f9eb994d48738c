import { StepError } from "#lib/contract/run/step-error";
import { parseTemplate } from "#lib/core/expressions/parse-template";
import { resolveUrl } from "#lib/core/expressions/places/resolve-url";
import { resolveTemplate } from "#lib/core/expressions/resolve-template";
import { templateBudget } from "#lib/core/expressions/template-budget";
import { templateReferences } from "#lib/core/expressions/template-references";
import { writeExpression } from "#lib/core/expressions/write-expression";
import { findNamedNode } from "#lib/core/graph/edges";
import { nodeLabel } from "#lib/core/steps/node-data";
import { isJsonObject } from "#lib/support/json";
import type { Analysis } from "@/components/canvas/document/analysis";
import type { DataField, DataSource } from "@/components/canvas/document/earlier-data";
import type { TestState } from "@/components/canvas/store/test-store";

export type Known = Pick<TestState, "pins" | "results" | "samples">;

const SAMPLE_LENGTH = 60;
const PREVIEW_LENGTH = 200;
const DEPTH_MAX = 3;
const FIELDS_MAX = 30;

/** Returns the known output of a node: its pinned output, otherwise the last one it returned or received. */
export function knownOutput({ pins, results, samples }: Known, nodeId: string): unknown {
  const pin = pins[nodeId];
  if (pin !== undefined) return pin.value;
  const step = results[nodeId]?.step;
  return step?.status === "completed" && !step.truncated ? step.output : samples[nodeId]?.output;
}

/** Returns the source with its node's last output: a sample for each field, plus the undeclared fields. */
export function withSamples(source: DataSource, output: unknown): DataSource {
  if (output === undefined) return source;
  const found = listFields(source.name, output, []).slice(0, FIELDS_MAX);
  const samples = new Map(found.map((field) => [field.expression, field]));
  const declared = source.fields.map((field) => {
    const sample = samples.get(field.expression)?.sample;
    return sample === undefined ? field : { ...field, sample };
  });
  const known = new Set(declared.map((field) => field.expression));
  return { ...source, fields: [...declared, ...found.filter((field) => !known.has(field.expression))] };
}

function listFields(name: string, value: unknown, path: readonly (string | number)[]): DataField[] {
  if (!isJsonObject(value) || path.length >= DEPTH_MAX) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    const inner = [...path, key];
    const field: DataField = {
      label: inner.join("."),
      expression: writeExpression(name, inner),
      type: typeOf(child),
      description: "",
      sample: shorten(JSON.stringify(child), SAMPLE_LENGTH),
    };
    return [field, ...listFields(name, child, inner)];
  });
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

export type Preview =
  | { kind: "value"; text: string }
  | { kind: "unknown"; labels: string[] }
  /** The step would fail with these values. */
  | { kind: "refused"; text: string };

/**
 * Returns the value of a field with expressions, resolved from the known values, or the steps whose values are unknown.
 * Null when there is nothing to resolve, or when the value depends on the item of a loop.
 * @param options.isUrl true for a text that is a URL, in which each value is written for its place
 */
export function previewOf(
  template: unknown,
  analysis: Analysis,
  known: Known,
  loops: readonly string[],
  { isUrl = false }: { isUrl?: boolean } = {},
): Preview | null {
  const names = new Set(templateReferences(template).map(({ name }) => name));
  if (names.size === 0) return null;
  const scope: Record<string, unknown> = {};
  const unknown: string[] = [];
  for (const name of names) {
    const node = findNamedNode(analysis.index, name);
    if (node === null || loops.includes(node.id)) return null;
    const output = knownOutput(known, node.id);
    if (output === undefined) unknown.push(nodeLabel(node));
    else scope[name] = output;
  }
  if (unknown.length > 0) return { kind: "unknown", labels: unknown };
  try {
    const value =
      isUrl && typeof template === "string"
        ? resolveUrl(parseTemplate(template), scope, templateBudget(), "url")
        : resolveTemplate(template, scope);
    return { kind: "value", text: shorten(JSON.stringify(value), PREVIEW_LENGTH) };
  } catch (error) {
    return isUrl && error instanceof StepError ? { kind: "refused", text: error.message.replace(/^url: /, "") } : null;
  }
}

function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}
