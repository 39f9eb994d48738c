import { expect, test } from "vitest";
import type { Definition } from "#lib/contract/workflow/graph";
import { readClip } from "@/components/canvas/document/clip/read-clip";
import { writeClip } from "@/components/canvas/document/clip/step-clip";
import { branchingDefinition, testEdge, testNode } from "@/components/canvas/document/test-definition";
import { mergeInputFields, pasteNodes } from "@/components/canvas/layout/paste-nodes";

const AT = { x: 1_000, y: 0 };

function paste(text: string, definition: Definition, workspaceId = "w1") {
  const clip = readClip(text);
  if (clip === null) throw new Error("no clip");
  const pasting = pasteNodes(clip, {
    definition,
    workspaceId,
    at: AT,
    sizes: {},
    noteCount: 0,
    newNoteId: () => "note-new",
  });
  if (pasting === null) throw new Error("no room");
  return pasting;
}

test("pasted steps get new ids, and the lines and references among them are updated", () => {
  const definition = branchingDefinition();
  const pasted = paste(writeClip(definition, ["over_500", "decline"], "w1"), definition);
  expect(pasted.nodeIds).toEqual(["over_500_2", "decline_2"]);
  const copy = pasted.definition.nodes.find((node) => node.id === "decline_2");
  expect(copy?.data.fields).toEqual([{ name: "ok", value: "{{over_500_2.result}}" }]);
  expect(pasted.definition.edges.at(-1)).toMatchObject({
    source: "over_500_2",
    target: "decline_2",
    sourceHandle: "false",
  });
});

test("in another workflow, references to the start step refer to that workflow's own start step", () => {
  const one: Definition = {
    nodes: [
      testNode("start", "action_input", 0, 0),
      testNode("a", "transform", 0, 100, { fields: [{ name: "x", value: "{{start.order}}" }] }),
    ],
    edges: [testEdge("start", "a")],
  };
  const other: Definition = { nodes: [testNode("begin", "action_input", 0, 0)], edges: [] };
  const { definition } = paste(writeClip(one, ["a"], "w1"), other);
  expect(definition.nodes[1]?.data.fields).toEqual([{ name: "x", value: "{{action_input.order}}" }]);
});

test("a second start step is not pasted, and its fields can be added to the existing one", () => {
  const fields = (...names: string[]) => ({ properties: names.map((name) => ({ name, type: "string" })) });
  const one: Definition = { nodes: [testNode("s", "action_input", 0, 0, fields("a", "b"))], edges: [] };
  const other: Definition = { nodes: [testNode("t", "action_input", 0, 0, fields("b"))], edges: [] };
  one.nodes.push(testNode("next", "delay", 0, 100));
  one.edges.push(testEdge("s", "next"));
  const { definition, leftOut } = paste(writeClip(one, ["s", "next"], "w1"), other);
  expect(definition.nodes.map((node) => node.id)).toEqual(["t", "next"]);
  expect(definition.edges).toMatchObject([{ source: "t", target: "next" }]);
  if (leftOut === null) throw new Error("nothing was left out");
  expect(mergeInputFields(other, leftOut).nodes[0]?.data.properties).toMatchObject([{ name: "b" }, { name: "a" }]);
  expect(paste(writeClip(one, ["s"], "w1"), { nodes: [], edges: [] }).nodeIds).toEqual(["s"]);
});

test("connections stay inside their workspace, and a trigger's secret is never copied", () => {
  const definition: Definition = {
    nodes: [
      testNode("trigger", "trigger", 0, 0, { kind: "webhook", secret: "sealed:abc" }),
      testNode("ask", "llm", 0, 100, { connection_id: "c1", model: "m" }),
    ],
    edges: [],
  };
  const text = writeClip(definition, ["trigger", "ask"], "w1");
  expect(text).not.toContain("abc");
  expect(paste(text, { nodes: [], edges: [] }).definition.nodes[1]?.data.connection_id).toBe("c1");
  const foreign = paste(text, { nodes: [], edges: [] }, "w2");
  expect(foreign.cutConnections).toBe(1);
  expect(foreign.definition.nodes[1]?.data).toEqual({ model: "m" });
});

test("a loop is pasted with its body; a step copied from inside a loop is pasted outside loops", () => {
  const definition: Definition = {
    nodes: [
      testNode("each", "loop", 0, 0, { items: "{{x}}" }),
      { ...testNode("inner", "transform", 20, 40), parentId: "each" },
    ],
    edges: [],
  };
  const whole = paste(writeClip(definition, ["each"], "w1"), definition);
  expect(whole.definition.nodes.at(-1)).toMatchObject({ id: "inner_2", parentId: "each_2" });
  const inner = paste(writeClip(definition, ["inner"], "w1"), definition);
  expect(inner.definition.nodes.at(-1)).not.toHaveProperty("parentId");
});

test("pasted steps don't cover existing steps", () => {
  const definition: Definition = { nodes: [testNode("a", "transform", AT.x - 140, AT.y - 60)], edges: [] };
  const { definition: pasted } = paste(writeClip(definition, ["a"], "w1"), definition);
  expect((pasted.nodes[1]?.position.x ?? 0) - AT.x).toBeGreaterThan(140);
});

test("a text without steps is not pasted as steps; a definition written elsewhere is", () => {
  for (const text of ["hello", "{", "[1]", '{"nodes": []}', '{"nodes": [{"id": "1 2"}], "edges": []}']) {
    expect(readClip(text)).toBeNull();
  }
  const written = JSON.stringify({ name: "x", definition: { nodes: [{ id: "a", type: "delay" }], edges: [] } });
  expect(readClip(written)?.definition.nodes[0]).toMatchObject({ id: "a", position: { x: 0, y: 0 } });
});
