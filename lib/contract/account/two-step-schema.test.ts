import { expect, test } from "vitest";
import { passkeyAssertionSchema } from "#lib/contract/account/two-step-schema";

test("a passkey's answer that is not base64url is refused before PostgreSQL sees it", () => {
  const response = { clientDataJSON: "e30", authenticatorData: "AA", signature: "A-_9" };
  const answer = (id: string) => ({ id, rawId: "AQ", type: "public-key", response });
  expect(passkeyAssertionSchema.safeParse(answer("AQ")).success).toBe(true);
  for (const id of ["A\u0000", "A Q", "A+/=", "A\n"]) {
    expect(passkeyAssertionSchema.safeParse(answer(id)).success).toBe(false);
  }
});
