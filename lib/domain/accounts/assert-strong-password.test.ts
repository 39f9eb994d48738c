import { expect, test } from "vitest";
import { assertStrongPassword } from "#lib/domain/accounts/assert-strong-password";

const OWN = ["ann.lee@acme.example", "Ann Lee"];
const check = (password: string) =>
  assertStrongPassword(password, "new_password", OWN).then(
    () => "accepted",
    (error: Error) => error.message,
  );

test.each([
  ["password123", /attackers try first/],
  ["1234567890", /attackers try first/],
  ["P@ssw0rd123!", /attackers try first/],
  ["qwertyuiop", /attackers try first/],
  ["aaaaaaaaaaaa", /repeats the same characters/],
  ["x".repeat(200), /repeats the same characters/],
  ["signalbox2026", /too easy to guess|name of the product/],
  ["ann.lee@acme.example", /name, your email address/],
])("%s is refused with advice", async (password, reason) => {
  const message = await check(password);
  expect(message).toMatch(/^new_password: /);
  expect(message).toMatch(reason);
  expect(message).toMatch(/four or more unrelated words/);
});

test.each(["correct horse battery staple", "4f&Kd92-lqp3", "a phrase of words"])("%s is accepted", async (password) => {
  expect(await check(password)).toBe("accepted");
});
