import { describe, expect, it } from "vitest";
import {
  admitCall,
  afterFailure,
  afterSuccess,
  type Breaker,
  CLOSED_BREAKER,
  isBreakerFailure,
} from "#lib/core/engine/circuit-breaker";

const minute = 60_000;

function failedAt(...times: number[]): Breaker {
  return times.reduce((breaker, at) => afterFailure(breaker, false, at), CLOSED_BREAKER);
}

describe("circuit breaker (contract, Limits; decisions, Connectors)", () => {
  it("opens on the fifth failure within five minutes, and stays open for a minute", () => {
    expect(failedAt(0, 1, 2, 3).state).toBe("closed");
    const open = failedAt(0, 1, 2, 3, 4);
    expect(open.state).toBe("open");
    expect(admitCall(open, 5)).toEqual({ kind: "refused", retryAfterMs: minute - 1 });
  });

  it("forgets failures older than five minutes", () => {
    expect(failedAt(0, 1, 2, 3, 5 * minute + 1).state).toBe("closed");
  });

  it("admits one probe after the minute, and refuses other calls meanwhile", () => {
    const open = failedAt(0, 1, 2, 3, 4);
    const probe = admitCall(open, minute + 4);
    if (probe.kind !== "probe") throw new Error("not a probe");
    expect(admitCall(probe.next, minute + 5)).toMatchObject({ kind: "refused" });
    expect(afterSuccess(probe.next, true)).toBe(CLOSED_BREAKER);
    expect(afterFailure(probe.next, true, minute + 6)).toMatchObject({ state: "open", retryAt: 2 * minute + 6 });
  });

  it("replaces a probe whose worker died", () => {
    const probe = admitCall(failedAt(0, 1, 2, 3, 4), minute + 4);
    if (probe.kind !== "probe") throw new Error("not a probe");
    expect(admitCall(probe.next, minute + 4 + 35_000)).toMatchObject({ kind: "probe" });
  });

  it("ignores the results of calls that started before it opened", () => {
    const open = failedAt(0, 1, 2, 3, 4);
    expect(afterFailure(open, false, 5)).toBe(open);
    expect(afterSuccess(open, false)).toBe(open);
  });

  it.each([
    ["UPSTREAM_ERROR", true],
    ["TIMEOUT", true],
    ["RATE_LIMITED", true],
    ["VALIDATION_ERROR", false],
    ["AUTH_EXPIRED", false],
    ["UNKNOWN", false],
  ] as const)("%s counts: %s", (code, counts) => {
    expect(isBreakerFailure(code)).toBe(counts);
  });
});
