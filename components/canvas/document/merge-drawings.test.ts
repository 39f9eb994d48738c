import { expect, test } from "vitest";
import type { CanvasNote } from "#lib/contract/workflow/canvas-note";
import type { Definition } from "#lib/contract/workflow/graph";
import { editNodeData, moveNodes } from "@/components/canvas/document/edit-data";
import { type Drawing, mergeDrawings } from "@/components/canvas/document/merge-drawings";
import { removeElements } from "@/components/canvas/document/remove-nodes";
import { branchingDefinition, testEdge, testNode } from "@/components/canvas/document/test-definition";

const NOTE: CanvasNote = {
  id: "note-a",
  text: "Ask Ada",
  color: "yellow",
  position: { x: 0, y: 0 },
  width: 240,
  height: 160,
};
const BASE: Drawing = { name: "Refunds", definition: branchingDefinition(), notes: [NOTE], orientation: "vertical" };

const draw = (change: (definition: Definition) => Definition): Drawing => ({
  ...structuredClone(BASE),
  definition: change(structuredClone(BASE.definition)),
});
const rename = (id: string, name: string) => (definition: Definition) => editNodeData(definition, id, ["name"], name);
const move = (id: string, x: number) => (definition: Definition) => moveNodes(definition, { [id]: { x, y: 0 } });
const remove = (id: string) => (definition: Definition) => removeElements(definition, new Set([id]));
const nodeOf = (merged: Drawing | null, id: string) => merged?.definition.nodes.find((node) => node.id === id);

test("changes to different steps are both kept, in either direction", () => {
  const mine = draw(rename("refund", "Pay back"));
  const theirs = draw(rename("decline", "Say no"));
  for (const merged of [mergeDrawings(BASE, mine, theirs), mergeDrawings(BASE, theirs, mine)]) {
    expect([nodeOf(merged, "refund")?.data.name, nodeOf(merged, "decline")?.data.name]).toEqual(["Pay back", "Say no"]);
    expect(merged?.definition.edges).toHaveLength(BASE.definition.edges.length);
  }
});

test("a step that one user added and a line that the other removed are both merged", () => {
  const mine = draw(({ nodes, edges }) => ({
    nodes: [...nodes, testNode("log", "delay", 0, 900)],
    edges: [...edges, testEdge("refund", "log")],
  }));
  const theirs = draw((definition) => removeElements(definition, new Set(), new Set(["over_500.false-decline"])));
  const merged = mergeDrawings(BASE, mine, theirs);
  expect(merged?.definition.edges.map(({ id }) => id)).toEqual([
    "start-over_500",
    "over_500.true-refund",
    "refund-end",
    "decline-end",
    "refund-log",
  ]);
  expect(nodeOf(merged, "log")).toBeDefined();
});

test("one user can move a step that the other changes; if both move it, mine wins", () => {
  const merged = mergeDrawings(BASE, draw(move("refund", 700)), draw(rename("refund", "Pay back")));
  expect(nodeOf(merged, "refund")).toMatchObject({ position: { x: 700 }, data: { name: "Pay back" } });
  const both = mergeDrawings(BASE, draw(move("refund", 700)), draw(move("refund", 900)));
  expect(nodeOf(both, "refund")?.position.x).toBe(700);
  expect(nodeOf(mergeDrawings(BASE, draw(move("end", 1)), draw(move("refund", 900))), "refund")?.position.x).toBe(900);
});

test("a step that one user moves and the other puts into a loop ends up in the loop, in either direction", () => {
  const putIn = draw(({ nodes, edges }) => ({
    edges,
    nodes: nodes.map((node) =>
      node.id === "refund" ? { ...node, parentId: "decline", position: { x: 20, y: 60 } } : node,
    ),
  }));
  const moved = draw(move("refund", 700));
  for (const merged of [mergeDrawings(BASE, putIn, moved), mergeDrawings(BASE, moved, putIn)]) {
    expect(nodeOf(merged, "refund")).toMatchObject({ parentId: "decline", position: { x: 20, y: 60 } });
  }
});

test("a line that both users drew is kept once", () => {
  const withLine = (id: string) =>
    draw((definition) => ({
      ...definition,
      edges: [...definition.edges, { id, source: "refund", target: "decline" }],
    }));
  const merged = mergeDrawings(BASE, withLine("mine"), withLine("theirs"));
  expect(merged?.definition.edges.slice(5).map(({ id }) => id)).toEqual(["mine"]);
});

test("notes and the name are merged in the same way", () => {
  const mine = { ...BASE, notes: [{ ...NOTE, text: "Ask Bob" }] };
  const theirs = {
    ...BASE,
    name: "Returns",
    notes: [
      { ...NOTE, position: { x: 9, y: 9 } },
      { ...NOTE, id: "note-b" },
    ],
  };
  expect(mergeDrawings(BASE, mine, theirs)).toMatchObject({
    name: "Returns",
    notes: [{ text: "Ask Bob", position: { x: 9, y: 9 } }, { id: "note-b" }],
  });
});

test.each([
  ["a step that both change", draw(rename("refund", "Mine")), draw(rename("refund", "Theirs"))],
  ["a step that the other removes", draw(rename("refund", "Mine")), draw(remove("refund"))],
  ["a name that both change", { ...BASE, name: "Mine" }, { ...BASE, name: "Theirs" }],
  [
    "a note that both change",
    { ...BASE, notes: [{ ...NOTE, text: "Mine" }] },
    { ...BASE, notes: [{ ...NOTE, text: "Theirs" }] },
  ],
  [
    "a line to a step that the other removes",
    draw((definition) => ({ ...definition, edges: [...definition.edges, testEdge("refund", "decline")] })),
    draw(remove("decline")),
  ],
])("a conflict over %s is not merged", (_what, mine, theirs) => {
  expect(mergeDrawings(BASE, mine, theirs)).toBeNull();
  expect(mergeDrawings(BASE, theirs, mine)).toBeNull();
});

test("one user's direction is kept with the other user's step, and the same direction of both is no conflict", () => {
  const turned: Drawing = { ...BASE, orientation: "horizontal" };
  const renamed: Drawing = { ...BASE, name: "Refunds and returns" };
  expect(mergeDrawings(BASE, turned, renamed)).toMatchObject({ name: renamed.name, orientation: "horizontal" });
  expect(mergeDrawings(BASE, renamed, turned)).toMatchObject({ name: renamed.name, orientation: "horizontal" });
  expect(mergeDrawings(BASE, turned, turned)?.orientation).toBe("horizontal");
});
