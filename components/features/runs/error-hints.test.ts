import { expect, test } from "vitest";
import { RUN_ERROR_REASONS, SPECIFIC_RUN_ERROR_REASONS } from "#lib/contract/error/error-reasons";
import { RUN_ERROR_CODES } from "#lib/contract/run/step-error";
import { errorHint } from "@/components/features/runs/error-hints";

const EVERY_ERROR = [
  ...RUN_ERROR_CODES.map((code) => ({ name: code, error: { code } })),
  ...SPECIFIC_RUN_ERROR_REASONS.map((reason) => ({
    name: reason,
    error: { code: RUN_ERROR_REASONS[reason].code, reason },
  })),
];

test.each(EVERY_ERROR)("$name says what happened and what to do", ({ error }) => {
  const { headline, advice } = errorHint(error);
  expect(headline).toMatch(/^[A-Z].*[^.]$/);
  expect(advice).toMatch(/\.$/);
});

test("an open circuit says until when it is paused, unlike a service that asked to wait", () => {
  const failedAt = "2026-11-21T14:04:00.000Z";
  const failed = { code: "UPSTREAM_ERROR", retryAfterMs: 60_000 } as const;
  expect(errorHint({ ...failed, reason: "circuit_open" }, failedAt).headline).toBe(
    "Paused until 2:05:00 PM after 5 failures in 5 minutes",
  );
  expect(errorHint({ ...failed, reason: "upstream_error" }, failedAt).headline).toBe(
    "The service failed and asked Signalbox to wait 1 min",
  );
});

test.each([
  ["RATE_LIMITED", "user_run_limit", "The hourly run limit was reached"],
  ["RATE_LIMITED", "monthly_run_quota", "The monthly run quota was used up"],
  ["RATE_LIMITED", "sandbox_busy", "The run failed because Signalbox was busy"],
  ["TIMEOUT", "machine_busy", "The run failed because Signalbox was busy"],
  ["RATE_LIMITED", "rate_limited", "The service is limiting requests"],
  ["TIMEOUT", "step_time_limit", "The step took longer than 30 s"],
  ["TIMEOUT", "run_time_limit", "The whole run took longer than 5 min"],
  ["TIMEOUT", "code_time_limit", "The code took too long"],
  ["TIMEOUT", "service_timeout", "The step or the run took too long"],
  ["VALIDATION_ERROR", "code_failed", "The step's code failed"],
  ["VALIDATION_ERROR", "connection_missing", "The step has no usable connection"],
  ["VALIDATION_ERROR", "data_too_large", "The data is too large"],
  ["VALIDATION_ERROR", "run_too_large", "The run is too large"],
  ["VALIDATION_ERROR", "validation_error", "A value is invalid"],
  ["UNKNOWN", "code_threw", "The step's code threw an error"],
  ["UNKNOWN", "worker_lost", "Several workers stopped while executing the run"],
  ["UNKNOWN", "internal_failure", "Signalbox could not execute the run"],
  ["UNKNOWN", "version_missing", "The run's version of the workflow no longer exists"],
] as const)("%s, %s: the reason determines the headline", (code, reason, headline) => {
  expect(errorHint({ code, reason }).headline).toBe(headline);
});

test("an error stored without a reason is explained by its code", () => {
  expect(errorHint({ code: "TIMEOUT" }).headline).toBe("The step or the run took too long");
});
