import { expect, test } from "vitest";
import { RUN_ERROR_CODES } from "#lib/contract/run";
import { errorHint } from "@/components/features/runs/error-hints";

test.each(RUN_ERROR_CODES)("%s says what happened and what to do", (code) => {
  const { headline, advice } = errorHint({ code, message: "" });
  expect(headline).toMatch(/^[A-Z].*[^.]$/);
  expect(advice).toMatch(/\.$/);
});

test("an open circuit tells until when, and a service that asked to wait is not mistaken for one", () => {
  const failedAt = "2026-11-21T14:04:00.000Z";
  const open = { code: "UPSTREAM_ERROR", message: "circuit open", retryAfterMs: 60_000 } as const;
  const clock = new Date("2026-11-21T14:05:00Z").toLocaleTimeString("en-GB", { timeStyle: "medium" });
  expect(errorHint(open, failedAt).headline).toBe(`Paused until ${clock} after 5 failures in 5 minutes`);
  expect(errorHint({ ...open, message: "503" }, failedAt).headline).toBe("The service failed and asked to wait 1 min");
});

test("a time-out says which of the two times was up", () => {
  const hint = (message: string) => errorHint({ code: "TIMEOUT", message }).headline;
  expect(hint("The step exceeded 30 s")).toBe("The step took longer than 30 s");
  expect(hint("The run exceeded 300 s of running time")).toBe("The whole run took longer than 300 s");
});

test.each([
  ["RATE_LIMITED", "Run limit exceeded (100 per hour)", "The hour's runs were used up"],
  ["RATE_LIMITED", "Run quota exceeded (1000 per month)", "The month's runs were used up"],
  ["RATE_LIMITED", "crm.example.com answered 429", "The service limits how often it is called"],
  ["TIMEOUT", "The code ran longer than 5 s", "The code took too long"],
  ["VALIDATION_ERROR", "TypeError: not a function (line 1)", "The step's code failed"],
  ["VALIDATION_ERROR", "connection_id: there is no such connection", "The step has no connection it can use"],
  ["VALIDATION_ERROR", "The output of the step is larger than 1 MiB", "The data is too large"],
  ["VALIDATION_ERROR", "amount must be of the type number, but is a text", "A value does not fit"],
  ["UNKNOWN", "worker lost: the run ended its worker repeatedly", "The run ended every worker that took it"],
  [
    "UNKNOWN",
    "The run could not be executed; the cause is in the service's log",
    "The service could not execute the run",
  ],
  ["UNKNOWN", "The version of the workflow that this run belongs to is gone", "Its version of the workflow is gone"],
] as const)("%s, %s: the words say which of its meanings it is", (code, message, headline) => {
  expect(errorHint({ code, message }).headline).toBe(headline);
});
