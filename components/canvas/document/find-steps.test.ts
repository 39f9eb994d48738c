import { expect, test } from "vitest";
import { findSteps } from "@/components/canvas/document/find-steps";
import { branchingDefinition } from "@/components/canvas/document/test-definition";

const ORDER = ["start", "over_500", "refund", "decline", "end"];

test("a text is found in names, kinds and fields, with each step listed once, in reading order", () => {
  const definition = branchingDefinition();
  expect(findSteps(definition, ORDER, "OVER_500")).toEqual([
    { nodeId: "over_500", field: null },
    { nodeId: "decline", field: "fields.0.value" },
    { nodeId: "end", field: "properties.0.value" },
  ]);
  expect(findSteps(definition, ORDER, "refund").map(({ nodeId }) => nodeId)).toEqual(["refund", "end"]);
});

test("an empty search finds nothing, and secrets are not searched", () => {
  const definition = branchingDefinition();
  expect(findSteps(definition, ORDER, " ")).toEqual([]);
  const [start] = definition.nodes;
  if (start !== undefined) start.data = { secret: "hidden" };
  expect(findSteps(definition, ORDER, "hidden")).toEqual([]);
});
