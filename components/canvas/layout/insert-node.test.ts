import { describe, expect, it } from "vitest";
import { EMPTY_DEFINITION } from "#lib/contract/workflow/graph";
import { branchingDefinition } from "@/components/canvas/document/test-definition";
import { insertNode, insertRefusal } from "@/components/canvas/layout/insert-node";
import { startCallable } from "@/components/canvas/layout/starter";

const pairs = (edges: { source: string; sourceHandle?: string | null | undefined; target: string }[]) =>
  edges.map((edge) => `${edge.source}${edge.sourceHandle ? `.${edge.sourceHandle}` : ""}>${edge.target}`);

describe("inserting a node", () => {
  it("starts a callable workflow with an Action Input that leads to a Return Output", () => {
    const { nodes, edges } = startCallable(EMPTY_DEFINITION);
    expect(nodes.map((node) => node.id)).toEqual(["action_input", "return_output"]);
    expect(pairs(edges)).toEqual(["action_input>return_output"]);
    expect(nodes[1]?.position.y).toBeGreaterThan(100);
  });

  it("splits an edge: the new step goes between, and the rest moves down", () => {
    const before = startCallable(EMPTY_DEFINITION);
    const edgeId = before.edges[0]?.id ?? "";
    const { definition, nodeId } = insertNode(before, { type: "transform" }, { kind: "edge", edgeId }, {});
    expect(nodeId).toBe("transform");
    expect(pairs(definition.edges)).toEqual(["action_input>transform", "transform>return_output"]);
    const top = (id: string) => definition.nodes.find((node) => node.id === id)?.position.y ?? 0;
    expect(top("transform")).toBeGreaterThan(top("action_input"));
    expect(top("return_output")).toBeGreaterThan(top("transform") + 100);
  });

  it("keeps the edge's branch before the new step and continues on the True branch", () => {
    const before = branchingDefinition();
    const { definition } = insertNode(
      before,
      { type: "condition" },
      { kind: "edge", edgeId: "over_500.true-refund" },
      {},
    );
    expect(pairs(definition.edges)).toContain("over_500.true>condition");
    expect(pairs(definition.edges)).toContain("condition.true>refund");
    expect(pairs(definition.edges)).not.toContain("over_500.true>refund");
  });

  it("connects a step added after a branch, next to the steps already there", () => {
    const before = branchingDefinition();
    const spot = { kind: "after", source: "refund", sourceHandle: null } as const;
    const { definition, nodeId } = insertNode(before, { type: "connector" }, spot, {});
    expect(nodeId).toBe("http_request");
    expect(pairs(definition.edges)).toContain("refund>http_request");
    const added = definition.nodes.find((node) => node.id === nodeId);
    const covered = before.nodes.filter(
      (node) =>
        Math.abs(node.position.x - (added?.position.x ?? 0)) < 280 &&
        Math.abs(node.position.y - (added?.position.y ?? 0)) < 110,
    );
    expect(covered).toEqual([]);
  });

  it("adds a start that is missing above the first step, with a line to it", () => {
    const { nodes, edges } = branchingDefinition();
    const before = { nodes: nodes.slice(1), edges: edges.slice(1) };
    const spot = { kind: "flow", position: { x: 0, y: 0 } } as const;
    expect(insertRefusal(before, "trigger", spot)).toBeNull();
    const { definition, nodeId } = insertNode(before, { type: "trigger" }, spot, {});
    expect(pairs(definition.edges)).toContain(`${nodeId}>over_500`);
    const top = (id: string) => definition.nodes.find((node) => node.id === id)?.position.y ?? 0;
    expect(top(nodeId)).toBeLessThan(top("over_500") - 100);
  });

  it("adds the first step of a drawing where the user looks", () => {
    const spot = { kind: "flow", position: { x: 400, y: 200 } } as const;
    const { definition } = insertNode(EMPTY_DEFINITION, { type: "transform" }, spot, {});
    expect(definition.nodes.map(({ position }) => position)).toEqual([{ x: 400, y: 200 }]);
  });

  it("gives every node a unique id and name", () => {
    const spot = { kind: "free", position: { x: 0, y: 0 } } as const;
    const first = insertNode(EMPTY_DEFINITION, { type: "transform" }, spot, {});
    const second = insertNode(first.definition, { type: "transform" }, spot, {});
    expect(second.definition.nodes.map((node) => [node.id, node.data.name])).toEqual([
      ["transform", "Transform"],
      ["transform_2", "Transform 2"],
    ]);
  });

  it("refuses a second Action Input, a start step in the middle, and an end step before another step", () => {
    const definition = branchingDefinition();
    const edge = { kind: "edge", edgeId: "refund-end" } as const;
    expect(insertRefusal(definition, "action_input", null)).not.toBeNull();
    expect(insertRefusal(EMPTY_DEFINITION, "action_input", edge)).not.toBeNull();
    expect(insertRefusal(definition, "return_output", edge)).not.toBeNull();
    expect(insertRefusal(definition, "return_output", null)).toBeNull();
    expect(insertRefusal(definition, "return_output", { kind: "flow", position: { x: 0, y: 0 } })).not.toBeNull();
  });
});
