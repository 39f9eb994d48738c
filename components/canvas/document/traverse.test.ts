import { expect, test } from "vitest";
import { branchingDefinition } from "@/components/canvas/document/test-definition";
import { neighbourOf } from "@/components/canvas/document/traverse";

/** The same drawing from left to right: the branches are one above the other. */
const turned = {
  ...branchingDefinition(),
  nodes: branchingDefinition().nodes.map((node) => ({
    ...node,
    position: { x: 2 * node.position.y, y: node.position.x },
  })),
};

test("in a drawing from left to right, the arrow keys follow the lines to the right and back to the left", () => {
  expect(neighbourOf(turned, "start", "right", "horizontal")).toBe("over_500");
  expect(neighbourOf(turned, "over_500", "right", "horizontal")).toBe("refund");
  expect(neighbourOf(turned, "refund", "left", "horizontal")).toBe("over_500");
  expect(neighbourOf(turned, "end", "right", "horizontal")).toBeNull();
});

test("in a drawing from left to right, up and down move between the branches", () => {
  expect(neighbourOf(turned, "refund", "down", "horizontal")).toBe("decline");
  expect(neighbourOf(turned, "decline", "up", "horizontal")).toBe("refund");
  expect(neighbourOf(turned, "decline", "down", "horizontal")).toBeNull();
});
