import { describe, expect, test } from "vitest";
import type { KeyObject } from "#lib/contract/wire/web";
import { deriveRotations, isFreshReplacement } from "@/components/features/keys/derive-rotation";

const NOW = Date.parse("2026-03-01T12:00:00.000Z");
const ago = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString();

const key = (change: Partial<KeyObject>): KeyObject => ({
  key_id: "new",
  name: "Bot",
  prefix: "svc_newx",
  scopes: ["runs:read"],
  action_slugs: null,
  status: "active",
  created_by: "Ada",
  created_at: ago(30),
  expires_at: null,
  revoked_at: null,
  last_used_at: null,
  replaces: { key_id: "old", prefix: "svc_oldx", last_used_at: ago(1) },
  ...change,
});
const stagesOf = (...keys: KeyObject[]) => deriveRotations(keys, NOW).map((rotation) => rotation.stage);

describe("a rotation that keeps the original key", () => {
  test("waits for the first use of the replacement, then until the original is no longer used", () => {
    expect(stagesOf(key({}))).toEqual(["unused"]);
    expect(stagesOf(key({ last_used_at: ago(0) }))).toEqual(["both"]);
    const replaces = { key_id: "old", prefix: "svc_oldx", last_used_at: ago(10) };
    expect(stagesOf(key({ last_used_at: ago(0), replaces }))).toEqual(["quiet"]);
    expect(stagesOf(key({ last_used_at: ago(0), replaces: { ...replaces, last_used_at: null } }))).toEqual(["quiet"]);
  });

  test("is over once either key is gone, or when both are kept", () => {
    expect(stagesOf(key({ replaces: null }), key({ status: "revoked" }), key({ status: "expired" }))).toEqual([]);
  });

  test("is watched for a day, then treated as abandoned", () => {
    expect(isFreshReplacement(key({ created_at: ago(24 * 60 - 1) }), NOW)).toBe(true);
    expect(isFreshReplacement(key({ created_at: ago(24 * 60) }), NOW)).toBe(false);
    expect(isFreshReplacement(key({ replaces: null }), NOW)).toBe(false);
    expect(isFreshReplacement(key({ status: "revoked" }), NOW)).toBe(false);
  });
});
