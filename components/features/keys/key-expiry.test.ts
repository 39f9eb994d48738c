import { expect, it } from "vitest";
import { expiresAtOf, expiresSoon } from "@/components/features/keys/key-expiry";

const NOW = Date.parse("2026-11-21T08:00:00.000Z");

it("counts days from now", () => {
  expect(expiresAtOf("never", "", NOW)).toBeNull();
  expect(expiresAtOf("30", "", NOW)).toBe("2026-12-21T08:00:00.000Z");
});

it("includes the whole chosen day, which must be in the future", () => {
  const atMs = Date.parse(expiresAtOf("date", "2027-01-05", NOW) ?? "");
  expect(new Date(atMs).getHours()).toBe(23);
  expect(expiresAtOf("date", "2026-11-01", NOW)).toBeUndefined();
  expect(expiresAtOf("date", "", NOW)).toBeUndefined();
});

it("warns in the last seven days", () => {
  expect(expiresSoon(null, NOW)).toBe(false);
  expect(expiresSoon("2026-11-27T08:00:00.000Z", NOW)).toBe(true);
  expect(expiresSoon("2026-12-27T08:00:00.000Z", NOW)).toBe(false);
});
