import type { InputSchema, JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { renameKey } from "#lib/core/graph/checks/create-fix";
import { fixValue } from "#lib/core/graph/checks/fix-text";
import { nodeProblem, nodeWarning } from "#lib/core/graph/checks/problem";
import type { NodeShapes } from "#lib/core/graph/node-shapes";
import { aliasesOf, aliasRules, currentSchema, renameAliases } from "#lib/core/input/input-aliases";
import { validateInput } from "#lib/core/input/validate-input";
import { describeShape } from "#lib/core/shapes/describe-shape";
import { findMisfit } from "#lib/core/shapes/find-misfit";
import { shapeOfSchema } from "#lib/core/shapes/shape-of-schema";
import type { Surroundings } from "#lib/domain/workflows/checks/load-surroundings";
import { isJsonObject } from "#lib/support/json";
import { listSuggestions } from "#lib/support/list-suggestions";

/** Checks that the steps that run an action name one that exists, and send the input that it requires. */
export function checkActions({ nodes }: Definition, shapes: NodeShapes, surroundings: Surroundings): GraphProblem[] {
  return nodes.flatMap((node) => {
    const { action_slug: slug, input } = node.data;
    if (node.type !== "sub_workflow" || typeof slug !== "string" || slug === "") return [];
    const action = surroundings.actions.get(slug);
    if (action === undefined) return [unknownAction(node, slug, surroundings.otherSlugs)];
    if (action.status !== "active" || action.input_schema === null) {
      const message = `the action "${slug}" is ${action.status}, so this step would fail`;
      return [nodeWarning(node, "ACTION_NOT_ACTIVE", message, "action_slug")];
    }
    const sent = input ?? {};
    if (!isJsonObject(sent)) return [];
    return [...checkInput(node, action.input_schema, sent), ...checkTemplates(node, action.input_schema, sent, shapes)];
  });
}

/** A warning, because two actions can call each other, and one of them is published first. */
function unknownAction(node: GraphNode, slug: string, slugs: readonly string[]): GraphProblem {
  const { words, certain } = listSuggestions(slug, slugs, "the actions are");
  const message = `there is no action "${slug}"${words}`;
  const fix = certain === null ? null : fixValue(node, "action_slug", () => certain);
  return { ...nodeWarning(node, "UNKNOWN_ACTION", message, "action_slug"), ...(fix === null ? {} : { fix }) };
}

function checkInput(node: GraphNode, schema: InputSchema, input: JsonObject): GraphProblem[] {
  const names = Object.keys(schema.properties);
  const { input: renamed } = renameAliases(schema, input);
  const current = currentSchema(schema);
  const missing = current.required.filter((name) => !Object.hasOwn(renamed, name));
  const unknown = Object.keys(input).filter((name) => !Object.hasOwn(schema.properties, name));
  const sent = Object.entries(input).filter(([, value]) => !isTemplated(value));
  const wrong = validateInput(withoutRequired(schema), Object.fromEntries(sent));
  return [
    ...unknown.map((name) => {
      const { words, certain } = listSuggestions(name, names, "its inputs are");
      const message = `input.${name} is not an input of the action${words}`;
      const fix = certain === null ? null : renameKey(node, ["input"], name, certain);
      return { ...nodeWarning(node, "UNKNOWN_KEY", message, `input.${name}`), ...(fix === null ? {} : { fix }) };
    }),
    ...missing.map((name) =>
      nodeProblem(node, "INVALID_DATA", `input.${name} is required by the action`, `input.${name}`),
    ),
    ...wrong.map(({ field, message }) => nodeProblem(node, "INVALID_DATA", `input.${message}`, `input.${field}`)),
  ];
}

/** Keeps the old names, of which only one may be sent. */
function withoutRequired(schema: InputSchema): InputSchema {
  const fields = [...aliasesOf(schema)].map(([alias, name]) => ({ name, isRequired: false, aliases: [alias] }));
  const rules = fields.flatMap(aliasRules);
  return { ...schema, required: [], ...(rules.length > 0 ? { allOf: rules } : {}) };
}

/**
 * Checks what templates produce, as far as that is known. A call converts nothing, so a wrong type fails the step. It is a
 * warning, because the action can be published with another type before this step runs.
 */
function checkTemplates(
  node: GraphNode,
  { properties }: InputSchema,
  input: JsonObject,
  shapes: NodeShapes,
): GraphProblem[] {
  return Object.entries(input).flatMap(([name, template]) => {
    if (!isTemplated(template) || !Object.hasOwn(properties, name)) return [];
    const misfit = findMisfit(shapes.ofTemplate(template), shapeOfSchema(properties[name]));
    if (misfit === null) return [];
    const field = ["input", name, ...misfit.path].join(".");
    const message = `${field} of the action expects ${describeShape(misfit.wanted)}, but gets ${describeShape(misfit.given)}`;
    return [nodeWarning(node, "TYPE_MISMATCH", message, field)];
  });
}

function isTemplated(value: unknown): boolean {
  return JSON.stringify(value ?? null).includes("{{");
}
