import { beforeEach, expect, test } from "vitest";
import { TWO_STEP_OPERATIONS } from "#lib/api/operations/account/two-step";
import type { UserCaller } from "#lib/api/operations/define/caller";
import { invoke } from "#lib/api/operations/define/define-operation";
import { requestContext } from "#lib/api/operations/define/request-context.fixture";
import type { PasskeyRequest } from "#lib/contract/account/account";
import { signUpInput } from "#lib/contract/account/person-inputs";
import { addSession } from "#lib/domain/accounts/session.fixture";
import { signUp } from "#lib/domain/accounts/sign-up";
import { codeAt, TestAuthenticator } from "#lib/domain/accounts/two-step/authenticator.fixture";
import { emptyTables, useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

const PASSWORD = "right password";
let caller: UserCaller;
beforeEach(async () => {
  await emptyTables("users", "workspaces", "sign_in_attempts");
  const own = await signUp(signUpInput.parse({ name: "Ann", email: "ann@example.com", password: PASSWORD }));
  const { sessionId } = await addSession(own.userId);
  caller = { kind: "user", ...own, plan: "free", name: "Ann", role: "owner", sessionId };
});

/** Calls an operation and checks its answer against its schema. */
async function ask(name: (typeof TWO_STEP_OPERATIONS)[number]["name"], input: object = {}) {
  const operation = TWO_STEP_OPERATIONS.find((candidate) => candidate.name === name);
  if (!operation) throw new Error(`no operation ${name}`);
  const answer = await invoke<typeof operation.input, unknown>(operation, caller, input, requestContext());
  expect(operation.output.parse(answer)).toEqual(answer);
  return answer as Record<string, unknown>;
}

test("a user sets an authenticator app and a passkey up, confirms with each, and removes them", async () => {
  const { secret } = await ask("begin_totp");
  const { recovery_codes: codes } = await ask("confirm_totp", { code: codeAt(String(secret)) });
  expect(codes).toHaveLength(10);
  const device = new TestAuthenticator();
  const begun = (await ask("begin_passkey")) as PasskeyRequest;
  const added = await ask("add_passkey", { name: "Key", token: begun.token, response: device.create(begun) });
  expect(added).toEqual({ recovery_codes: null });

  const { passkey } = await ask("begin_confirmation");
  await ask("confirm_identity", { proof: { passkey: device.sign(passkey as PasskeyRequest) } });
  const { recovery_codes: next } = await ask("replace_recovery_codes");
  await ask("confirm_identity", { proof: { recovery_code: (next as string[])[0] } });
  await expect(ask("confirm_identity", { proof: { password: PASSWORD } })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
  await ask("remove_factor", { passkey_id: device.id.toString("base64url") });
  await ask("remove_factor");
  expect(await ask("begin_confirmation")).toMatchObject({ has_password: true, passkey: null });
  await ask("confirm_identity", { proof: { password: PASSWORD } });
});
