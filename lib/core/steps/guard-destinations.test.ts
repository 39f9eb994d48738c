import { expect, test } from "vitest";
import { isRunErrorReason, SPECIFIC_RUN_ERROR_REASONS } from "#lib/contract/error/error-reasons";
import { StepError } from "#lib/contract/run/step-error";
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

/** The reasons that say something about the service that a step calls. All others are about this instance or the input. */
const ABOUT_THE_SERVICE = [
  "upstream_error",
  "rate_limited",
  "timeout",
  "service_timeout",
  "step_time_limit",
  "run_time_limit",
  "service_unreachable",
  "host_not_found",
  "tls_failed",
  "connection_broken",
  "answer_unreadable",
];

test("a failure of this machine, such as a process that cannot start, counts for no service", async () => {
  const counted: string[] = [];
  // Runs are refused by these before any step.
  const beforeSteps = ["user_run_limit", "monthly_run_quota", "callback_expired"];
  for (const reason of SPECIFIC_RUN_ERROR_REASONS.filter((one) => !beforeSteps.includes(one))) {
    const { guard, reports } = guarded();
    await guard.enter(A);
    await guard.leave(new StepError(reason, "failed"));
    if (reports[0]?.[1] !== null) counted.push(reason);
  }
  expect(counted).toEqual(ABOUT_THE_SERVICE.filter((reason) => isRunErrorReason(reason)));
});

test("a failure after one of this machine counts, because the service was not to blame before", async () => {
  for (const reason of ["sandbox_unavailable", "machine_busy", "sandbox_busy"] as const) {
    const { guard, reports } = guarded({ previous: new StepError(reason, "no process") });
    await guard.enter(A);
    await guard.leave(failure);
    expect(reports, reason).toEqual([[A, "UPSTREAM_ERROR"]]);
  }
});
