import { describe, expect, it } from "vitest";
import { removeElements } from "@/components/canvas/document/remove-nodes";
import { branchingDefinition } from "@/components/canvas/document/test-definition";
import { duplicateNodes } from "@/components/canvas/layout/duplicate-nodes";

describe("removing", () => {
  it("reconnects the line around one removed step, on the same branch", () => {
    const after = removeElements(branchingDefinition(), new Set(["refund"]));
    expect(after.edges).toContainEqual(
      expect.objectContaining({ source: "over_500", sourceHandle: "true", target: "end" }),
    );
    expect(after.nodes.map((node) => node.id)).not.toContain("refund");
  });

  it("does not guess where a step with two branches led", () => {
    const after = removeElements(branchingDefinition(), new Set(["over_500"]));
    expect(after.edges.some((edge) => edge.source === "start")).toBe(false);
  });

  it("removes edges together with their nodes, and otherwise only the selected edges", () => {
    const several = removeElements(branchingDefinition(), new Set(["refund", "decline"]));
    expect(several.edges.map((edge) => edge.id)).toEqual(["start-over_500"]);
    const one = removeElements(branchingDefinition(), new Set(), new Set(["refund-end"]));
    expect(one.nodes).toHaveLength(5);
    expect(one.edges.map((edge) => edge.id)).not.toContain("refund-end");
  });
});

describe("duplicating", () => {
  it("copies steps with the connections and references among them", () => {
    const { definition, nodeIds } = duplicateNodes(branchingDefinition(), new Set(["over_500", "decline"]), {});
    expect(nodeIds).toEqual(["over_500_2", "decline_2"]);
    const decline = definition.nodes.find((node) => node.id === "decline_2");
    expect(decline?.data.fields).toEqual([{ name: "ok", value: "{{over_500_2.result}}" }]);
    expect(definition.edges).toContainEqual(
      expect.objectContaining({ source: "over_500_2", sourceHandle: "false", target: "decline_2" }),
    );
  });

  it("leaves out step kinds that a workflow can have only once", () => {
    const { definition, nodeIds } = duplicateNodes(branchingDefinition(), new Set(["start"]), {});
    expect(nodeIds).toEqual([]);
    expect(definition.nodes).toHaveLength(5);
  });
});
