import { expect, test } from "vitest";
import { certainName, nearestNames } from "#lib/support/nearest-names";

const NAMES = ["status", "headers", "body", "order_id", "orderTotal"];

test("near names come first, and upper case and separators do not count", () => {
  expect(nearestNames("staus", NAMES)).toEqual(["status"]);
  expect(nearestNames("orderId", NAMES)[0]).toBe("order_id");
  expect(nearestNames("order-total", NAMES)[0]).toBe("orderTotal");
  expect(nearestNames("zebra", NAMES)).toEqual([]);
  expect(nearestNames("x", ["y", "z"])).toEqual([]);
});

test("at most three names are suggested", () => {
  expect(nearestNames("name", ["name1", "name2", "name3", "name4"])).toEqual(["name1", "name2", "name3"]);
});

test("a name is certain if it is one letter away and no other name is as near", () => {
  expect(certainName("staus", NAMES)).toBe("status");
  expect(certainName("satus", NAMES)).toBe("status");
  expect(certainName("ORDER ID", NAMES)).toBe("order_id");
  expect(certainName("name", ["name1", "name2"])).toBeNull();
  expect(certainName("zebra", NAMES)).toBeNull();
});

test("long names are not compared", () => {
  expect(nearestNames("a".repeat(201), ["a".repeat(200)])).toEqual([]);
  expect(nearestNames("a".repeat(200), ["a".repeat(201)])).toEqual([]);
});
