import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import type { GraphOutline, OutlineBox } from "#lib/contract/workflow/workflow";
import { listAllSources } from "#lib/source-files.fixture";
import { GraphThumbnail } from "@/components/canvas/view/graph-thumbnail";

const LOOP: OutlineBox = [0, 8, 18, 11, "logic", true];
const START: OutlineBox = [2, 0, 14, 5, "trigger", false];
const CALL: OutlineBox = [2, 10, 14, 5, "call", false];

function pathsOf(outline: Partial<GraphOutline>) {
  const { container } = render(
    <GraphThumbnail outline={{ width: 18, height: 19, boxes: [], lines: [], ...outline }} />,
  );
  return [...container.querySelectorAll("path")].map((path) => ({
    fill: path.getAttribute("fill"),
    opacity: path.getAttribute("fill-opacity"),
    d: path.getAttribute("d") ?? "",
  }));
}

test("a thumbnail shows each step in the color of its category, with faint frames behind them", () => {
  const [frame, lines, ...cards] = pathsOf({ boxes: [LOOP, START, CALL], lines: [[1, 0]] });
  expect(frame).toMatchObject({ fill: "var(--k-logic)", opacity: "0.25" });
  expect(lines).toMatchObject({ fill: "none", d: "M9 5L9 8" });
  expect(cards.map(({ fill, opacity }) => [fill, opacity])).toEqual([
    ["var(--k-trigger)", null],
    ["var(--k-conn)", null],
  ]);
});

test("an empty drawing, and a line to a missing box, are drawn without an error", () => {
  expect(pathsOf({ width: 0, height: 0 }).map(({ d }) => d)).toEqual([""]);
  expect(pathsOf({ boxes: [START], lines: [[0, 3]] })[0]?.d).toBe("");
});

test("thumbnails load no schema, no icon and no step kind", () => {
  const files = new Map(listAllSources().map((file) => [file.path, file]));
  const loaded = new Set<string>();
  function load(path: string): void {
    loaded.add(path);
    const text = files.get(path)?.text ?? "";
    for (const [, name = ""] of text.matchAll(/^import (?!type)[^;]*"([^"]+)";$/gm)) {
      const file = [".ts", ".tsx"].map((end) => name.replace(/^(@\/|#)/, "") + end).find((found) => files.has(found));
      if (!loaded.has(file ?? name)) load(file ?? name);
    }
  }
  load("components/canvas/view/graph-thumbnail.tsx");
  expect([...loaded].toSorted()).toEqual([
    "components/canvas/kinds/category-color.ts",
    "components/canvas/view/color-paths.ts",
    "components/canvas/view/fold-outline.ts",
    "components/canvas/view/graph-thumbnail.tsx",
  ]);
});
