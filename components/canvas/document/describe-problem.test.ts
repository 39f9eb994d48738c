import { expect, test } from "vitest";
import { z } from "zod";
import { validateGraph } from "#lib/core/graph/checks/validate-graph";
import { STEP_DATA } from "#lib/core/steps/step-data";
import { STEP_TYPES } from "#lib/core/steps/step-kinds";
import { describeProblem, fieldWords } from "@/components/canvas/document/describe-problem";
import { testNode } from "@/components/canvas/document/test-definition";

type Schema = z.core.JSONSchema._JSONSchema;

/** The paths of all settings below a schema that are lists, or whose name is more than one word. */
function* hardNames(schema: Schema | undefined, path: readonly string[] = []): Generator<string> {
  if (typeof schema !== "object") return;
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = schema;
  for (const part of [...anyOf, ...oneOf, ...allOf]) yield* hardNames(part, path);
  if (typeof items === "object" && !Array.isArray(items)) {
    yield [...path, "0"].join(".");
    yield* hardNames(items, [...path, "0"]);
  }
  for (const [name, property] of Object.entries(properties)) {
    if (name.includes("_")) yield [...path, name].join(".");
    yield* hardNames(property, [...path, name]);
  }
}

test("no setting of a step is shown by its raw name, and an item of a list by its number and a singular", () => {
  const names = STEP_TYPES.flatMap((type) => [
    ...hardNames(z.toJSONSchema(STEP_DATA[type], { io: "input", unrepresentable: "any" })),
  ]);
  expect(names).toContain("delivery_id.0");
  expect(names).toContain("cases.0.rules.0");
  for (const name of new Set(names)) expect(fieldWords(name)).toMatch(name.endsWith(".0") ? /[^s] 1$/ : /^[^_]+$/);
});

test("a value of a delivery that is still empty is named as the form names it", () => {
  const data = { kind: "webhook", delivery_id: [{ body: "" }] };
  const node = testNode("start", "trigger", 0, 0, data);
  const problems = validateGraph({ nodes: [node], edges: [] });
  const own = problems.filter(({ field }) => field === "delivery_id.0.body");
  expect(own.map((problem) => describeProblem(problem, node))).toEqual([
    "Duplicate deliveries value 1 body must be names of fields with dots between them, such as data.id",
  ]);
});
