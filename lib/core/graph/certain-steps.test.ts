import { expect, test } from "vitest";
import { createCertainSteps } from "#lib/core/graph/certain-steps";
import { indexGraph } from "#lib/core/graph/edges";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";

const start = completeNode("start", "action_input");
const step = (id: string, parentId?: string) => ({
  ...completeNode(id, "connector"),
  ...(parentId ? { parentId } : {}),
});
const check = completeNode("check", "condition");
const gate = completeNode("gate", "approval");
const each = completeNode("each", "loop");
const certainOf = (nodes: ReturnType<typeof step>[], edges: string[]) =>
  createCertainSteps(indexGraph(definition(nodes, edges)));

test("a step on one branch is not certain after the branches meet, and steps before the branches are", () => {
  const { isCertain } = certainOf(
    [start, step("before"), check, step("yes"), step("no"), step("end")],
    ["start > before", "before > check", "check.true > yes", "check.false > no", "yes > end", "no > end"],
  );
  expect(["start", "before", "check"].map((id) => isCertain("end", id))).toEqual([true, true, true]);
  expect(["yes", "no"].map((id) => isCertain("end", id))).toEqual([false, false]);
  expect(isCertain("yes", "check")).toBe(true);
});

test("steps that run side by side without a condition are all certain where they meet", () => {
  const { isCertain } = certainOf(
    [start, step("a"), step("b"), step("c"), check, step("end")],
    ["start > a", "start > b", "b > c", "start > check", "a > end", "c > end", "check.true > end"],
  );
  expect(["a", "b", "c", "check"].map((id) => isCertain("end", id))).toEqual([true, true, true, true]);
});

test("the nameless edge of an approval is its approved branch, and that of a condition is always taken", () => {
  const { isCertain } = certainOf(
    [start, gate, step("after"), check, step("both"), step("end")],
    ["start > gate", "gate > after", "start > check", "check > both", "after > end", "both > end"],
  );
  expect([isCertain("end", "after"), isCertain("end", "both")]).toEqual([false, true]);
});

test("a step that can take its failed branch is not certain where the branches meet", () => {
  const { isCertain } = certainOf(
    [start, step("call"), step("ok"), step("mend"), step("end")],
    ["start > call", "call > ok", "call.failed > mend", "ok > end", "mend > end"],
  );
  expect([isCertain("end", "call"), isCertain("ok", "call"), isCertain("mend", "call")]).toEqual([false, true, false]);
  expect(isCertain("mend", "start")).toBe(true);
});

test("a switch whose author called a case `failed` has completed after that case", () => {
  const pick = { ...completeNode("pick", "switch"), data: { cases: [{ id: "failed", match: "all", rules: [] }] } };
  const { isCertain } = certainOf([start, pick, step("end")], ["start > pick", "pick.failed > end"]);
  expect(isCertain("end", "pick")).toBe(true);
});

test("the body of a loop sees what is certain for the loop; at its end, steps on a branch are not certain", () => {
  const { isCertain, isCertainInBody } = certainOf(
    [start, each, step("first", "each"), { ...check, parentId: "each" }, step("maybe", "each"), step("last", "each")],
    ["start > each", "first > check", "check.true > maybe", "maybe > last", "first > last"],
  );
  expect([isCertain("last", "start"), isCertain("last", "each"), isCertain("last", "maybe")]).toEqual([
    true,
    true,
    false,
  ]);
  expect(["first", "check", "maybe", "last"].map(isCertainInBody)).toEqual([true, true, false, true]);
});

test("edges that form a cycle end the search", () => {
  const { isCertain } = certainOf([start, step("a"), step("b")], ["start > a", "a > b", "b > a"]);
  expect(isCertain("b", "a")).toBe(true);
});
