import { describe, expect, it } from "vitest";
import { indexGraph } from "#lib/core/graph/edges";
import { createEdge } from "#lib/core/graph/edits/create-edge";
import { connectableTargets, connectionRefusal, connectNodes } from "@/components/canvas/document/connect-nodes";
import { branchingDefinition } from "@/components/canvas/document/test-definition";

describe("connecting nodes", () => {
  const definition = branchingDefinition();

  it("allows a second connection into a step", () => {
    expect(connectionRefusal(definition, { source: "start", target: "end" })).toBeNull();
  });

  it.each([
    ["itself", { source: "refund", target: "refund" }],
    ["the action input", { source: "refund", target: "start" }],
    ["a step that leads back", { source: "refund", target: "over_500" }],
    ["a step it leads to already", { source: "over_500", sourceHandle: "true", target: "refund" }],
    ["anything from the return output", { source: "end", target: "refund" }],
    ["anything from an output that is not there", { source: "refund", sourceHandle: "true", target: "decline" }],
    ["a step that is gone", { source: "refund", target: "nobody" }],
  ])("refuses %s", (_what, connection) => {
    expect(connectionRefusal(definition, connection)).not.toBeNull();
    expect(connectNodes(definition, connection)).toBe(definition);
  });

  it("lets both branches of a condition lead to one step, with different edge ids", () => {
    const once = connectNodes(definition, { source: "over_500", sourceHandle: "true", target: "end" });
    const twice = connectNodes(once, { source: "over_500", sourceHandle: "false", target: "end" });
    expect(twice.edges).toHaveLength(definition.edges.length + 2);
    expect(new Set(twice.edges.map((edge) => edge.id)).size).toBe(twice.edges.length);
  });

  it("lists exactly the nodes that a connection may lead to", () => {
    for (const source of definition.nodes) {
      const allowed = definition.nodes.filter(
        (target) =>
          connectionRefusal(definition, { source: source.id, sourceHandle: "true", target: target.id }) === null,
      );
      if (source.type !== "condition") continue;
      expect(connectableTargets(indexGraph(definition), source.id, "true")).toEqual(allowed);
    }
  });

  it("never gives two edges the same id", () => {
    const edge = createEdge([{ id: "start-end", source: "x", target: "y" }], { source: "start", target: "end" });
    expect(edge.id).toBe("start-end-2");
  });
});
