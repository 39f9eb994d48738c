import { expect, test } from "vitest";
import { ClientError } from "@/components/api/client-error";
import { refusalAdvice } from "@/components/api/refusal-advice";

test("a spent limit says when there is room again, a wait that was named says nothing more", () => {
  const refusal = (code: ConstructorParameters<typeof ClientError>[0], message: string) =>
    refusalAdvice(new ClientError(code, message, { status: 429 }));
  expect(refusal("RATE_LIMIT_EXCEEDED", "Run limit exceeded (100 per hour)")).toContain("last 60 minutes");
  expect(refusal("RATE_LIMIT_EXCEEDED", "Too many attempts. Wait a few minutes and try again.")).toBeNull();
  expect(refusal("QUOTA_EXCEEDED", "Run quota exceeded (1000 per month)")).toContain("first of the month");
  expect(refusal("NETWORK", "The server did not answer.")).toBeNull();
});
