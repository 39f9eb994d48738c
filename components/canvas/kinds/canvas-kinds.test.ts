import { describe, expect, it, test } from "vitest";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { STEP_KINDS, STEP_TYPES, type StepType } from "#lib/core/steps/step-kinds";
import { listAllSources } from "#lib/source-files.fixture";
import { CANVAS_KINDS } from "@/components/canvas/kinds/canvas-kinds";
import { categoryColor } from "@/components/canvas/kinds/category-color";
import { listFacts } from "@/components/canvas/kinds/list-facts";
import { loadKindForms } from "@/components/canvas/kinds/load-kind-forms";
import { summarizeNode } from "@/components/canvas/kinds/summarize-node";

const nodeOf = (type: StepType, data: Record<string, unknown>): GraphNode => ({
  id: "n",
  type,
  position: { x: 0, y: 0 },
  data,
});
const wordsOf = (node: GraphNode) => summarizeNode(node).map((part) => part.text);

const forms = await loadKindForms();

test("the canvas knows every step kind and no other", () => {
  expect(Object.keys(CANVAS_KINDS).toSorted()).toEqual(STEP_TYPES.toSorted());
  expect(new Set(STEP_TYPES.map((type) => CANVAS_KINDS[type].icon)).size).toBe(STEP_TYPES.length);
});

test("every step kind has its own form", () => {
  expect(new Set(STEP_TYPES.map((type) => forms[type])).size).toBe(STEP_TYPES.length);
});

const CANVAS_FILES = listAllSources().filter(
  ({ path }) => path.startsWith("components/canvas/") && !path.includes(".test."),
);

test("a step kind is its folder and a line in canvas-kinds.ts: nothing else imports from the folder", () => {
  const folderOf = (path: string) => /^(?:@\/)?(components\/canvas\/kinds\/[^/]+)\//.exec(path)?.[1] ?? null;
  const outside = CANVAS_FILES.flatMap(({ path, imports }) =>
    imports.map((specifier) => ({ from: path, to: folderOf(specifier) })),
  ).filter(({ from, to }) => to !== null && to !== folderOf(from));
  expect(outside.map(({ from }) => from)).toEqual(STEP_TYPES.map(() => "components/canvas/kinds/canvas-kinds.ts"));
});

test("a kind loads its form on demand, after the drawing", () => {
  const kinds = CANVAS_FILES.filter(({ path }) => /\/kinds\/([\w-]+)\/\1\.ts$/.test(path));
  expect(kinds).toHaveLength(STEP_TYPES.length);
  expect(kinds.filter(({ text }) => /^import [^;]*-form"/m.test(text)).map(({ path }) => path)).toEqual([]);
});

describe.each(STEP_TYPES)("%s", (type) => {
  const kind = STEP_KINDS[type];

  it("has a color", () => {
    expect(categoryColor(kind.category)).toMatch(/^var\(--k-[a-z]+\)$/);
  });

  it("describes a new, an example and a minimal step in words", () => {
    for (const data of [kind.newData(), kind.example, kind.least]) {
      const words = wordsOf(nodeOf(type, data));
      expect(words.join("").trim()).not.toBe("");
      expect(words.join("")).not.toMatch(/undefined|null|\[object|NaN/);
    }
  });

  it("describes a filled-in step differently from a new one", () => {
    const fresh = wordsOf(nodeOf(type, kind.newData()));
    const filledIn = [kind.example, kind.least].map((data) => wordsOf(nodeOf(type, data)));
    expect(filledIn.some((words) => words.join("") !== fresh.join(""))).toBe(true);
  });

  it("describes a draft that another client broke", () => {
    const keys = new Set([kind.newData(), kind.example, kind.least].flatMap((data) => Object.keys(data)));
    for (const broken of [undefined, null, 5, "broken", true, [], [null], [5], {}, { a: [] }]) {
      const data = Object.fromEntries([...keys].map((key) => [key, broken]));
      expect(Array.isArray(summarizeNode(nodeOf(type, data)))).toBe(true);
      expect(Array.isArray(listFacts(nodeOf(type, data)))).toBe(true);
    }
  });
});

test("a card counts the retries only of a step that can retry", () => {
  expect(listFacts(nodeOf("connector", { maxRetries: 3 }))).toContain("3 retries");
  expect(listFacts(nodeOf("code", { maxRetries: 3 }))).toEqual([]);
});
