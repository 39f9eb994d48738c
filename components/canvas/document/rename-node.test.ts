import { describe, expect, it } from "vitest";
import { changeNodeId, rewriteReferences } from "#lib/core/graph/edits/rewrite-references";
import { nextFreeName } from "#lib/support/format/next-free-name";
import { idFromName, idRefusal } from "@/components/canvas/document/node-ids";
import { renameField } from "@/components/canvas/document/rename-field";
import { renameNode } from "@/components/canvas/document/rename-node";
import { branchingDefinition, testNode } from "@/components/canvas/document/test-definition";

describe("node ids", () => {
  it.each([
    ["Create refund?", "create_refund"],
    ["  Größe & Ümlaut ", "gro_e_umlaut"],
    ["3rd party", "step_3rd_party"],
    ["Возврат", ""],
    ["Action input", "action_input_step"],
    ["a".repeat(100), "a".repeat(58)],
  ])("reads %s as %s", (name, id) => {
    expect(idFromName(name)).toBe(id);
  });

  it("takes the first free suffix", () => {
    expect(nextFreeName("a", new Set(["a", "a_2"]))).toBe("a_3");
  });

  it("explains why an id can't be used", () => {
    expect(idRefusal("ok_1", new Set())).toBeNull();
    for (const id of ["", "1a", "a-b", "taken", "trigger", "a".repeat(65)]) {
      expect(idRefusal(id, new Set(["taken"]))).not.toBeNull();
    }
  });
});

describe("changing an id", () => {
  it("rewrites edges and every expression that names the node, and nothing else", () => {
    const after = changeNodeId(branchingDefinition(), "refund", "pay");
    expect(after.edges.filter((edge) => edge.source === "pay" || edge.target === "pay")).toHaveLength(2);
    const end = after.nodes.find((node) => node.id === "end");
    expect(end?.data).toEqual({
      properties: [{ name: "code", type: "number", value: "{{ pay.status }} of {{pay.body.over_500}}" }],
    });
  });

  it("leaves escaped braces, longer names and paths alone", () => {
    const names = new Map([["a", "z"]]);
    const text = "\\{{a.b}} {{ab.c}} {{c.a}} {{a}} {{a[0].b}} a";
    expect(rewriteReferences(text, names)).toBe("\\{{a.b}} {{ab.c}} {{c.a}} {{z}} {{z[0].b}} a");
  });

  it("keeps data without the reference as the same object", () => {
    const data = { fields: [{ name: "x", value: "{{b.c}}" }] };
    expect(rewriteReferences(data, new Map([["a", "z"]]))).toBe(data);
  });
});

describe("renaming a field", () => {
  const definition = {
    nodes: [
      testNode("start", "action_input", 0, 0, { properties: [{ name: "amount" }, { name: "note" }] }),
      testNode("t", "transform", 0, 0, {
        fields: [
          {
            name: "amount",
            value: '{{action_input.amount}}, {{start["amount"].cents}}, {{t.amount}}, \\{{action_input.amount}}',
          },
        ],
      }),
    ],
    edges: [],
  };
  const node = definition.nodes[0] ?? testNode("", "transform", 0, 0);

  it("updates the expressions that read the field from this node", () => {
    const after = renameField(definition, { node, path: ["properties", 0, "name"], from: "amount", to: "total sum" });
    expect(after.nodes[0]?.data.properties).toEqual([{ name: "total sum" }, { name: "note" }]);
    expect(after.nodes[1]?.data.fields).toEqual([
      {
        name: "amount",
        value: '{{action_input["total sum"]}}, {{start["total sum"].cents}}, {{t.amount}}, \\{{action_input.amount}}',
      },
    ]);
  });

  it("changes no expression while the name is empty", () => {
    const after = renameField(definition, { node, path: ["properties", 0, "name"], from: "amount", to: "" });
    expect(after.nodes[1]).toBe(definition.nodes[1]);
  });
});

describe("renaming a node", () => {
  it("updates an automatic id and the references to it", () => {
    const definition = { nodes: [testNode("http_request_2", "connector", 0, 0)], edges: [] };
    const { definition: after, nodeId } = renameNode(definition, "http_request_2", "Create refund");
    expect(nodeId).toBe("create_refund");
    expect(after.nodes[0]).toMatchObject({ id: "create_refund", data: { name: "Create refund" } });
  });

  it("keeps an id that a user chose", () => {
    const definition = { nodes: [testNode("chosen", "connector", 0, 0, { name: "Old name" })], edges: [] };
    expect(renameNode(definition, "chosen", "New name").nodeId).toBe("chosen");
  });

  it("keeps the action input's id, because expressions refer to it by type", () => {
    expect(renameNode(branchingDefinition(), "start", "Order").nodeId).toBe("start");
  });

  it("falls back to the type for a name without ASCII letters", () => {
    const definition = { nodes: [testNode("transform", "transform", 0, 0)], edges: [] };
    expect(renameNode(definition, "transform", "Возврат").nodeId).toBe("transform");
  });
});
