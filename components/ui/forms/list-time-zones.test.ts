import { expect, test } from "vitest";
import { listTimeZones, searchTimeZones } from "@/components/ui/forms/list-time-zones";

const WINTER_MS = Date.parse("2026-01-15T12:00:00Z");
const SUMMER_MS = Date.parse("2026-07-15T12:00:00Z");
const zones = listTimeZones(WINTER_MS, "Asia/Tokyo");
const found = (query: string) => searchTimeZones(zones, query).map(({ value }) => value);

test("the given zones and UTC come first, each zone once", () => {
  expect(zones.slice(0, 2).map(({ value }) => value)).toEqual(["Asia/Tokyo", "UTC"]);
  expect(new Set(zones.map(({ value }) => value)).size).toBe(zones.length);
});

test("a zone has the offset of the given time, half hours included", () => {
  const offset = (atMs: number, zone: string) => listTimeZones(atMs).find(({ value }) => value === zone)?.offset;
  expect([offset(WINTER_MS, "Europe/Berlin"), offset(SUMMER_MS, "Europe/Berlin")]).toEqual(["UTC+01:00", "UTC+02:00"]);
  expect(offset(WINTER_MS, "UTC")).toBe("UTC+00:00");
  expect(offset(WINTER_MS, "America/St_Johns")).toBe("UTC-03:30");
});

test("a zone is found by its city, with spaces, and by its offset in any form", () => {
  expect(found("new york")).toEqual(["America/New_York"]);
  expect(found("berl")).toEqual(["Europe/Berlin"]);
  for (const offset of ["+9", "+09:00", "utc+9", "GMT+9"]) {
    expect(found(offset)).toContain("Asia/Tokyo");
    expect(found(offset)).not.toContain("Europe/Berlin");
  }
  expect(found("+5:30")).toEqual(found("+05:30"));
  expect(found("+5:30")).toContain("Asia/Colombo");
  expect(found("+1")).not.toContain("Asia/Tokyo");
  expect(found("nowhere")).toEqual([]);
});

test("a zone that this browser does not know has no offset", () => {
  expect(listTimeZones(WINTER_MS, "Mars/Olympus")[0]).toEqual({
    value: "Mars/Olympus",
    label: "Mars/Olympus",
    offset: "",
  });
});
