import type { Definition, GraphNode } from "#lib/contract/graph";
import type { InputSchema, JsonObject } from "#lib/contract/json-schema";
import type { GraphProblem } from "#lib/contract/workflow";
import { listSuggestions } from "#lib/core/graph/checks/describe-dead-end";
import { fixValue } from "#lib/core/graph/checks/fix-text";
import { nodeProblem, nodeWarning } from "#lib/core/graph/checks/problem";
import { renameKey } from "#lib/core/graph/checks/rename-key";
import { validateInput } from "#lib/core/input/validate-input";
import type { Surroundings } from "#lib/domain/workflows/checks/load-surroundings";
import { isJsonObject } from "#lib/support/json";

/** Checks that the steps that run an action name one that exists, and send the input that it requires. */
export function checkActions({ nodes }: Definition, surroundings: Surroundings): GraphProblem[] {
  return nodes.flatMap((node) => {
    const { action_slug: slug, input } = node.data;
    if (node.type !== "sub_workflow" || typeof slug !== "string" || slug === "") return [];
    const action = surroundings.actions.get(slug);
    if (action === undefined) return [unknownAction(node, slug, surroundings.otherSlugs)];
    if (action.status !== "active" || action.input_schema === null) {
      const message = `the action "${slug}" is ${action.status}, so this step would fail`;
      return [nodeWarning(node, "ACTION_NOT_ACTIVE", message, "action_slug")];
    }
    return isJsonObject(input ?? {}) ? checkInput(node, action.input_schema, (input ?? {}) as JsonObject) : [];
  });
}

/** A warning, because two actions can call each other, and one of them is published first. */
function unknownAction(node: GraphNode, slug: string, slugs: readonly string[]): GraphProblem {
  const { words, certain } = listSuggestions(slug, slugs, { listsAll: true });
  const message = `there is no action "${slug}"${words.replace("; it has", "; there are")}`;
  const fix = certain === null ? null : fixValue(node, "action_slug", () => certain);
  return { ...nodeWarning(node, "UNKNOWN_ACTION", message, "action_slug"), ...(fix === null ? {} : { fix }) };
}

function checkInput(node: GraphNode, schema: InputSchema, input: JsonObject): GraphProblem[] {
  const names = Object.keys(schema.properties);
  const missing = schema.required.filter((name) => !Object.hasOwn(input, name));
  const unknown = Object.keys(input).filter((name) => !Object.hasOwn(schema.properties, name));
  const sent = Object.entries(input).filter(([, value]) => !JSON.stringify(value ?? null).includes("{{"));
  const wrong = validateInput({ ...schema, required: [] }, Object.fromEntries(sent));
  return [
    ...unknown.map((name) => {
      const { words, certain } = listSuggestions(name, names, { listsAll: true });
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
