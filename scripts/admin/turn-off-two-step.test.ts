import { expect, test } from "vitest";
import { signUpInput } from "#lib/contract/account/person-inputs";
import { checkSignIn } from "#lib/domain/accounts/check-sign-in";
import { addSession } from "#lib/domain/accounts/session.fixture";
import { signUp } from "#lib/domain/accounts/sign-up";
import { enrollTotp } from "#lib/domain/accounts/two-step/authenticator.fixture";
import { getTwoStep } from "#lib/domain/accounts/two-step/get-two-step";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { runAdmin } from "#scripts/admin/run-admin";

useTestDatabase();

test("the operator can restore access for a user who lost every second factor, which ends the user's sessions", async () => {
  const email = "ann@example.com";
  const { userId } = await signUp(signUpInput.parse({ name: "Ann", email, password: "right password" }));
  const { sessionId } = await addSession(userId);
  await enrollTotp(userId, sessionId);
  const signIn = () => checkSignIn(email, "right password", { address: "1.1.1.1" });
  expect(await signIn()).toMatchObject({ status: "second_factor_needed" });
  const turnOff = async () => JSON.parse(await runAdmin("turn-off-two-step", ["--email", email]));
  expect(await turnOff()).toEqual({ user_id: userId, was_on: true });
  // The sessions ended when the first factor was set up, and again when two-step verification was turned off.
  expect(await signIn()).toMatchObject({ status: "signed_in", sessionEpoch: 2 });
  expect(await getTwoStep(userId)).toMatchObject({ is_on: false, recovery_codes_left: 0 });
  const { rows } = await db().query("select id from user_sessions where user_id = $1", [userId]);
  expect(rows).toEqual([]);
  expect(await turnOff()).toEqual({ user_id: userId, was_on: false });
});
