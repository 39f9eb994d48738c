import { expect, test } from "vitest";
import { hashPassword, verifyPassword } from "#lib/domain/accounts/hash-password";

test("a password is stored as salted argon2id with 64 MiB and three passes", async () => {
  const [first, second] = await Promise.all([hashPassword("correct horse"), hashPassword("correct horse")]);
  expect(first).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/);
  expect(first).not.toBe(second);
  expect(await verifyPassword(first, "correct horse")).toBe(true);
  expect(await verifyPassword(first, "correct horsé")).toBe(false);
});

test("one password typed on two keyboards is one password", async () => {
  const stored = await hashPassword("cafe\u0301 au lait");
  expect(await verifyPassword(stored, "caf\u00e9 au lait")).toBe(true);
});

test("an account that does not exist is never let in, whatever the password", async () => {
  expect(await verifyPassword(null, "")).toBe(false);
});

test("a flood is refused instead of queued without limit", async () => {
  const results = await Promise.allSettled(Array.from({ length: 32 }, () => verifyPassword(null, "x")));
  expect(results.filter((result) => result.status === "rejected")).toHaveLength(10);
  expect(await verifyPassword(null, "x")).toBe(false);
});
