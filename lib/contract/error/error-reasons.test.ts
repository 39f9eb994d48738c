import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { API_ERROR_STATUS, ApiError, type ApiErrorCode, reasonsOfCode } from "#lib/contract/error/api-error";
import {
  API_ERROR_REASONS,
  RUN_ERROR_REASONS,
  SPECIFIC_API_ERROR_REASONS,
  SPECIFIC_RUN_ERROR_REASONS,
} from "#lib/contract/error/error-reasons";
import { STEP_ERROR_CODES, StepError, stepErrorKind } from "#lib/contract/run/step-error";

const PAGE = "docs/decisions/reasons.md";
const [RUN_TABLE = "", API_TABLE = ""] = readFileSync(PAGE, "utf8").split(/^Reasons of API errors:$/m);

/** Reads the rows of a table in the documentation, in the form of the code's tables. */
function readRows(table: string) {
  const rows = [...table.matchAll(/^\| `(\w+)` \| `(\w+)` \| (.+) \|$/gm)];
  return rows.map(([, reason = "", code = "", meaning = ""]) => [reason, { code, meaning }]);
}

test(`${PAGE} lists every reason with its code and meaning, and no other reasons`, () => {
  const reasons = Object.entries(RUN_ERROR_REASONS).map(([reason, { code, meaning }]) => [reason, { code, meaning }]);
  expect(readRows(RUN_TABLE)).toEqual(reasons);
  expect(readRows(API_TABLE)).toEqual(Object.entries(API_ERROR_REASONS));
});

test.each([...SPECIFIC_RUN_ERROR_REASONS, ...SPECIFIC_API_ERROR_REASONS])(
  "%s is snake_case and not the name of a code",
  (reason) => {
    expect(reason).toMatch(/^[a-z]+(_[a-z]+)+$/);
    expect([...STEP_ERROR_CODES, ...Object.keys(API_ERROR_STATUS)]).not.toContain(reason.toUpperCase());
  },
);

describe("a step error", () => {
  test.each(SPECIFIC_RUN_ERROR_REASONS)("with the reason %s has the code of that reason", (reason) => {
    expect(new StepError(reason, "no").toPayload()).toEqual({
      code: RUN_ERROR_REASONS[reason].code,
      reason,
      message: "no",
    });
  });

  test.each(STEP_ERROR_CODES)("with the code %s has the code's own reason", (code) => {
    const error = new StepError(code, "no", { retryAfterMs: 5 });
    expect(error.toPayload()).toEqual({ code, reason: code.toLowerCase(), message: "no", retryAfterMs: 5 });
    expect(new StepError(error.reason, "no").code).toBe(code);
  });

  test.each([
    [{ code: "TIMEOUT", reason: "run_time_limit" }, "run_time_limit"],
    [{ code: "TIMEOUT", reason: "timeout" }, "TIMEOUT"],
    [{ code: "TIMEOUT" }, "TIMEOUT"],
    [{ code: "TIMEOUT", reason: "a_reason_of_a_newer_version" }, "TIMEOUT"],
    [{ code: "TIMEOUT", reason: "circuit_open" }, "TIMEOUT"],
    [{ code: "APPROVAL_EXPIRED", reason: "approval_expired" }, null],
    [{ code: "ECONNREFUSED" }, null],
  ])("repeats %j with the kind %s", (error, kind) => {
    expect(stepErrorKind(error)).toBe(kind);
  });
});

describe("an API error", () => {
  test("with a reason has its code, and its body contains both", () => {
    const body = new ApiError("scope_missing", "no", { details: { required_scope: "runs:read" } }).toBody();
    expect(body).toEqual({
      error: "no",
      code: "FORBIDDEN",
      reason: "scope_missing",
      details: { required_scope: "runs:read" },
    });
  });

  test.each(Object.keys(API_ERROR_STATUS) as ApiErrorCode[])("with the code %s has the code's own reason", (code) => {
    expect(new ApiError(code, "no").toBody()).toEqual({ error: "no", code, reason: code.toLowerCase() });
    expect(reasonsOfCode(code)[0]).toBe(code.toLowerCase());
  });
});
