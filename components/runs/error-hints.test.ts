import { expect, test } from "vitest";
import { RUN_ERROR_CODES } from "#lib/contract/run";
import { errorHint } from "@/components/runs/error-hints";

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
