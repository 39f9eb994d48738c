import { expect, test } from "vitest";
import { validateGraph } from "#lib/core/graph/checks/validate-graph";
import { groupProblems } from "@/components/canvas/document/group-problems";
import { testEdge, testNode } from "@/components/canvas/document/test-definition";

const STEPS = 190;
const START = testNode("start", "action_input", 0, 0, {
  name: "Order",
  properties: [
    { name: "note", type: "string", required: false },
    { name: "total", type: "number", required: false },
  ],
});
const readsNote = Array.from({ length: STEPS }, (_, at) =>
  testNode(`s${at}`, "transform", 0, 200 * (at + 1), {
    name: `Part ${at}`,
    // The field differs from step to step.
    fields: [...Array.from({ length: at % 3 }, () => "1"), "{{action_input.note}}"].map((value, field) => {
      return { name: `x${field}`, value };
    }),
  }),
);
const readsTotal = ["a", "b"].map((id) =>
  testNode(id, "transform", 0, 0, { name: id, fields: [{ name: "x", value: "{{action_input.total}}" }] }),
);
const nodes = [START, ...readsNote, ...readsTotal, testNode("end", "return_output", 0, 0)];
const edges = nodes.slice(1).map((node, at) => testEdge(nodes[at]?.id ?? "", node.id));
const problems = validateGraph({ nodes, edges }).filter(({ code }) => code === "MAY_BE_EMPTY");

test("steps that read the same optional input are one group, and the few that read another stay apart", () => {
  expect(problems).toHaveLength(STEPS + 2);
  const [group, ...others] = groupProblems(problems, new Map(nodes.map((node) => [node.id, node])));
  expect(group).toMatchObject({
    cause: expect.stringMatching(/^\{\{action_input\.note\}\} is empty if /),
    problems: { length: STEPS },
  });
  expect(others).toEqual(problems.slice(STEPS));
});
