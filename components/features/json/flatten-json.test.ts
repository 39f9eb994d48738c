import { expect, test } from "vitest";
import { flattenJson, searchJson } from "@/components/features/json/flatten-json";

const VALUE = { order: { id: 7, items: [{ sku: "A/1" }, { sku: "b~2" }] }, note: "As agreed", empty: {} };

test("a value becomes one line per field, open for two levels, with empty objects as leaves", () => {
  const rows = flattenJson(VALUE, new Map());
  expect(rows.map(({ pointer, depth, childCount }) => [pointer, depth, childCount])).toEqual([
    ["", 0, 3],
    ["/order", 1, 2],
    ["/order/id", 2, null],
    ["/order/items", 2, 2],
    ["/note", 1, null],
    ["/empty", 1, null],
  ]);
});

test("a row that was opened or closed by hand stays that way", () => {
  const places = new Map([
    ["/order/items", true],
    ["/order/items/0", true],
  ]);
  expect(flattenJson(VALUE, places).map(({ path }) => path.join("."))).toContain("order.items.0.sku");
  expect(flattenJson(VALUE, new Map([["", false]]))).toHaveLength(1);
});

test("a long list below the first level starts closed", () => {
  const rows = flattenJson({ rows: Array.from({ length: 101 }, () => 1) }, new Map());
  expect(rows.map(({ isOpen }) => isOpen)).toEqual([true, false]);
});

test("the search finds names and values in their order, and says what to open", () => {
  const matches = searchJson(VALUE, "A", 10);
  expect(matches.map(({ pointer }) => pointer)).toEqual(["/order/items/0/sku", "/note"]);
  expect(matches[0]?.around).toEqual(["", "/order", "/order/items", "/order/items/0"]);
  expect(searchJson(VALUE, "items", 10).map(({ pointer }) => pointer)).toEqual(["/order/items"]);
  expect(searchJson(VALUE, "sku", 1)).toHaveLength(1);
  expect(searchJson({ "a/b~c": 1 }, "1", 9)[0]?.pointer).toBe("/a~1b~0c");
});

test("five megabytes are flattened and searched without deep recursion", () => {
  const big = { rows: Array.from({ length: 50_000 }, (_, id) => ({ id, text: `row ${id}` })) };
  expect(flattenJson(big, new Map([["/rows", true]]))).toHaveLength(50_002);
  expect(searchJson(big, "row 49999", 10)).toHaveLength(1);
});
