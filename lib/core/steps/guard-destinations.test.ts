import { expect, test } from "vitest";
import { StepError } from "#lib/contract/step-error";
import type { BreakerPort } from "#lib/core/engine/ports";
import { guardDestinations } from "#lib/core/steps/guard-destinations";

const [A, B] = ["https://a.example.com", "https://b.example.com"] as const;
const failure = new StepError("UPSTREAM_ERROR", "503");
const refusal = new StepError("circuit_open", "circuit open");

/** A guard whose breakers refuse some origins, and what is reported to them. */
function guarded({ refused = [] as string[], previous = null as StepError | null, isProbe = false } = {}) {
  const reports: [string | null, string | null][] = [];
  const breaker: BreakerPort = {
    admit: async ({ origin }) => {
      if (origin !== null && refused.includes(origin)) throw refusal;
      return { isProbe };
    },
    report: async ({ origin }, _pass, error) => {
      reports.push([origin, error?.code ?? null]);
    },
  };
  const previousError = previous?.toPayload() ?? null;
  const guard = guardDestinations({ connector: "http", connectionId: null }, { services: { breaker }, previousError });
  return { guard, reports };
}

test("a failure counts for the origin that the request reached last, and the others answered", async () => {
  const { guard, reports } = guarded();
  for (const origin of [A, B]) await guard.enter(origin);
  await guard.leave(failure);
  expect(reports).toEqual([
    [A, null],
    [B, "UPSTREAM_ERROR"],
  ]);
});

test("a redirect to an origin whose breaker is open is no failure of the origin before it", async () => {
  const { guard, reports } = guarded({ refused: [B] });
  await guard.enter(A);
  await expect(guard.enter(B)).rejects.toBe(refusal);
  await guard.leave(refusal);
  expect(reports).toEqual([[A, null]]);
});

test("an origin that a request reaches twice is asked once", async () => {
  const { guard, reports } = guarded();
  for (const origin of [A, B, A]) await guard.enter(origin);
  await guard.leave(failure);
  expect(reports).toEqual([
    [A, "UPSTREAM_ERROR"],
    [B, null],
  ]);
});

test("the attempts of one step count once, unless the breaker refused the one before", async () => {
  for (const [previous, told] of [
    [null, "UPSTREAM_ERROR"],
    [failure, null],
    [new StepError("service_timeout", "no answer"), null],
    [refusal, "UPSTREAM_ERROR"],
  ] as const) {
    const { guard, reports } = guarded({ previous });
    await guard.enter(A);
    await guard.leave(failure);
    expect(reports).toEqual([[A, told]]);
  }
});

test("a probe counts, whatever attempt it is", async () => {
  const { guard, reports } = guarded({ previous: failure, isProbe: true });
  await guard.enter(A);
  await guard.leave(failure);
  expect(reports).toEqual([[A, "UPSTREAM_ERROR"]]);
});
