import { describe, expect, test } from "vitest";
import type { Definition } from "#lib/contract/workflow/graph";
import { partUntil } from "#lib/core/graph/edits/part-until";
import { rerunNodes } from "#lib/core/graph/rerun-nodes";

/** `a>b` creates an edge; `x@loop` puts a node into a loop's body. */
function graph(nodes: string, paths: string): Definition {
  return {
    nodes: nodes.split(" ").map((text) => {
      const [id = "", parentId] = text.split("@");
      return { id, type: "transform", position: { x: 0, y: 0 }, data: {}, ...(parentId ? { parentId } : {}) };
    }),
    edges: paths.split(" ").map((path) => {
      const [source = "", target = ""] = path.split(">");
      return { id: path, source, target };
    }),
  };
}

/** in > loop (one > two > inner (deep > deeper)) > after > end, and in parallel in > other > end. */
const LOOPS = graph(
  "in loop one@loop two@loop inner@loop deep@inner deeper@inner last@loop after end other",
  "in>loop one>two two>inner deep>deeper inner>last loop>after after>end in>other other>end",
);

describe("the part of a definition up to a step", () => {
  test.each([
    ["in", "in"],
    ["other", "in other"],
    ["after", "in loop one two inner deep deeper last after"],
    ["two", "in loop one two"],
    ["last", "in loop one two inner deep deeper last"],
    ["deeper", "in loop one two inner deep deeper"],
  ])("%s: %s", (stepId, ids) => {
    const part = partUntil(LOOPS, stepId);
    expect(part.nodes.map((node) => node.id)).toEqual(ids.split(" "));
    const kept = new Set(ids.split(" "));
    expect(part.edges.every((edge) => kept.has(edge.source) && kept.has(edge.target))).toBe(true);
  });
});

describe("the nodes that run again from a step", () => {
  test.each([
    ["other", "end other"],
    ["after", "after end"],
    ["loop", "after deep deeper end inner last loop one two"],
    ["two", "after deep deeper end inner last loop two"],
    ["last", "after end last loop"],
    ["deeper", "after deeper end inner last loop"],
  ])("%s: %s", (stepId, ids) => {
    expect([...rerunNodes(LOOPS, [stepId])].sort()).toEqual(ids.split(" "));
  });

  test("a draft whose loops contain each other does not hang", () => {
    const circle = graph("a@b b@a", "a>b b>a");
    expect([...rerunNodes(circle, ["a"])].sort()).toEqual(["a", "b"]);
    expect(partUntil(circle, "a").nodes).toHaveLength(2);
  });
});
