import { expect, test } from "vitest";
import { checkReferences } from "#lib/core/graph/checks/check-references";
import { createGraphMemory } from "#lib/core/graph/checks/graph-memory";
import { MAX_PROBLEMS } from "#lib/core/graph/checks/problem";
import { indexGraph } from "#lib/core/graph/edges";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";
import { shapesOf } from "#lib/core/graph/node-shapes";

/** Counts how often its members are compared with a wrong name. */
class CountedSet extends Set<string> {
  reads = 0;
  override [Symbol.iterator]() {
    this.reads += 1;
    return super[Symbol.iterator]();
  }
}

test("names that do not exist are compared only as long as their errors can be shown", () => {
  const start = completeNode("start", "action_input", {});
  const value = Array.from({ length: 2_000 }, (_, index) => `{{unknown_${index}}}`).join(" ");
  const work = completeNode("work", "transform", { fields: [{ name: "a", value }] });
  const index = indexGraph(definition([start, work], ["start > work"]));
  const before = new CountedSet(["start"]);
  const problems = checkReferences(index, new Map([["work", before]]), createGraphMemory(), shapesOf(index));
  expect(problems).toHaveLength(MAX_PROBLEMS);
  expect(before.reads).toBe(MAX_PROBLEMS);
});
