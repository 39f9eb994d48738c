import { expect, test } from "vitest";
import type { ApiErrorReason } from "#lib/contract/error/error-reasons";
import { ClientError } from "@/components/api/client-error";
import { refusalAdvice } from "@/components/api/refusal-advice";

test("a used-up limit says when there is room again, and a wait that the error names gets no advice", () => {
  const refusal = (code: ConstructorParameters<typeof ClientError>[0], reason: ApiErrorReason | null) =>
    refusalAdvice(new ClientError(code, "no", { status: 429, reason }));
  expect(refusal("RATE_LIMIT_EXCEEDED", "user_run_limit")).toContain("last 60 minutes");
  expect(refusal("RATE_LIMIT_EXCEEDED", "too_many_attempts")).toBeNull();
  expect(refusal("RATE_LIMIT_EXCEEDED", "rate_limit_exceeded")).toBeNull();
  expect(refusal("QUOTA_EXCEEDED", "quota_exceeded")).toContain("first of the month");
  expect(refusal("QUOTA_EXCEEDED", null)).toContain("first of the month");
  expect(refusal("NETWORK", null)).toBeNull();
});
