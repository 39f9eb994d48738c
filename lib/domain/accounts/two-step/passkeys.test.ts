import { beforeEach, describe, expect, test } from "vitest";
import { signUpInput } from "#lib/contract/account/person-inputs";
import { LIMITS } from "#lib/contract/limits";
import { takeSignInAttempt } from "#lib/domain/accounts/attempts/take-sign-in-attempt";
import { checkSignIn } from "#lib/domain/accounts/check-sign-in";
import { addSession } from "#lib/domain/accounts/session.fixture";
import { signUp } from "#lib/domain/accounts/sign-up";
import { addPasskey } from "#lib/domain/accounts/two-step/add-passkey";
import { TestAuthenticator } from "#lib/domain/accounts/two-step/authenticator.fixture";
import { beginPasskey } from "#lib/domain/accounts/two-step/begin-passkey";
import { checkPasskey } from "#lib/domain/accounts/two-step/check-passkey";
import { getTwoStep } from "#lib/domain/accounts/two-step/get-two-step";
import { createPasskeyChallenge } from "#lib/domain/accounts/two-step/passkey-challenge";
import { removeFactor } from "#lib/domain/accounts/two-step/remove-factor";
import { verifyPasskey } from "#lib/domain/accounts/two-step/verify-passkey";
import { env } from "#lib/platform/config/env";
import { db } from "#lib/platform/db/pool";
import { emptyTables, useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

const PASSWORD = "right password";
let userId: string;
let sessionId: string;
let device: TestAuthenticator;
const request = () => ({ userId, actor: { type: "user" as const, id: userId, name: "Ann" }, sessionId });
async function enroll(authenticator = device, name = "Laptop") {
  const begun = await beginPasskey(request());
  return addPasskey({ ...request(), name, token: begun.token, response: authenticator.create(begun) });
}
const signIn = async (proof?: Parameters<typeof checkPasskey>[0]["proof"]) =>
  checkPasskey({
    proof: proof ?? device.sign(await createPasskeyChallenge("sign_in", null)),
    address: "1.1.1.1",
    inviteToken: null,
  });

beforeEach(async () => {
  env().PUBLIC_BASE_URL = "https://signalbox.example.com";
  await emptyTables("users", "workspaces", "sign_in_attempts");
  ({ userId } = await signUp(signUpInput.parse({ name: "Ann", email: "ann@example.com", password: PASSWORD })));
  ({ sessionId } = await addSession(userId));
  device = new TestAuthenticator();
});

describe("a passkey", () => {
  test("signs in without a name and a password, and makes the password only a first step", async () => {
    expect(await enroll()).toHaveLength(10);
    expect(await getTwoStep(userId)).toMatchObject({ is_on: true, passkeys: [{ name: "Laptop" }] });
    expect(await signIn()).toMatchObject({ status: "signed_in", userId });
    expect(await checkSignIn("ann@example.com", PASSWORD, { address: "1.1.1.1" })).toMatchObject({
      status: "second_factor_needed",
    });
  });

  test("that signs in is no failure of its address, which an office shares", async () => {
    await enroll();
    for (let failure = 1; failure < LIMITS.sourceFailures; failure++) {
      await takeSignInAttempt(db(), "passkey", "1.1.1.1");
    }
    expect(await signIn()).toMatchObject({ status: "signed_in" });
    expect(await signIn()).toMatchObject({ status: "signed_in" });
    expect(await signIn({ ...device.sign(await createPasskeyChallenge("sign_in", null)), token: "AAAA" })).toEqual({
      status: "refused",
    });
    expect(await signIn()).toMatchObject({ status: "throttled" });
  });

  test("that was removed signs in no more", async () => {
    await enroll();
    await removeFactor({ ...request(), passkeyId: device.id.toString("base64url") });
    expect(await signIn()).toEqual({ status: "refused" });
  });

  test("signs each challenge once", async () => {
    await enroll();
    const proof = device.sign(await createPasskeyChallenge("sign_in", null));
    const outcomes = await Promise.all([signIn(proof), signIn(proof)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["refused", "signed_in"]);
  });

  test("with a counter that does not increase is refused, because it was copied", async () => {
    await enroll();
    await signIn();
    device.counter = 0;
    expect(await signIn()).toEqual({ status: "refused" });
  });

  test("is refused on another site, without a fingerprint or PIN, and with another key", async () => {
    await enroll();
    device.origin = "https://signalbox.example.com.evil.example";
    expect(await signIn()).toEqual({ status: "refused" });
    device.origin = "https://signalbox.example.com";
    device.isUserVerified = false;
    expect(await signIn()).toEqual({ status: "refused" });
    const thief = Object.assign(new TestAuthenticator(), { id: device.id, counter: 100 });
    expect(await signIn(thief.sign(await createPasskeyChallenge("sign_in", null)))).toEqual({ status: "refused" });
  });

  test("answers only the challenge for its purpose and its person", async () => {
    await enroll();
    const forSignIn = device.sign(await createPasskeyChallenge("sign_in", null));
    expect(await verifyPasskey(forSignIn, "confirm", userId)).toBeNull();
    const other = "018f0000-0000-7000-8000-000000000009";
    expect(
      await verifyPasskey(device.sign(await createPasskeyChallenge("confirm", other)), "confirm", other),
    ).toBeNull();
    const forBoth = device.sign(await createPasskeyChallenge("confirm", userId));
    expect(await signIn(forBoth)).toEqual({ status: "refused" });
    expect(await verifyPasskey(forBoth, "confirm", userId)).toBe(userId);
  });

  test("with a changed token or one that the server did not seal is refused", async () => {
    await enroll();
    const proof = device.sign(await createPasskeyChallenge("sign_in", null));
    expect(await signIn({ ...proof, token: `${proof.token.slice(0, -4)}AAAA` })).toEqual({ status: "refused" });
    expect(await signIn({ ...proof, token: "AAAA" })).toEqual({ status: "refused" });
  });
});

describe("adding a passkey", () => {
  test("is refused for another person's challenge, twice for one challenge, and twice for one passkey", async () => {
    const begun = await beginPasskey(request());
    const response = device.create(begun);
    const stranger = { ...request(), userId: "018f0000-0000-7000-8000-000000000009" };
    await expect(addPasskey({ ...stranger, name: "x", token: begun.token, response })).rejects.toThrow();
    await addPasskey({ ...request(), name: "Laptop", token: begun.token, response });
    await expect(addPasskey({ ...request(), name: "x", token: begun.token, response })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
    await expect(enroll()).rejects.toMatchObject({ message: "This passkey is already in use." });
  });

  test("is refused without a fingerprint or PIN, so that a passkey is always two factors", async () => {
    device.isUserVerified = false;
    await expect(enroll()).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  test("stops at twenty", async () => {
    for (let count = 0; count < 20; count++) await enroll(new TestAuthenticator(), `Key ${count}`);
    await expect(enroll()).rejects.toMatchObject({ message: expect.stringContaining("20 passkeys") });
  });

  test("needs an address that browsers offer passkeys for", async () => {
    for (const url of ["http://signalbox.example.com", "https://192.0.2.7"]) {
      env().PUBLIC_BASE_URL = url;
      expect((await getTwoStep(userId)).can_add_passkeys).toBe(false);
      await expect(beginPasskey(request())).rejects.toMatchObject({ code: "BAD_REQUEST" });
    }
    env().PUBLIC_BASE_URL = "http://localhost:3000";
    expect((await getTwoStep(userId)).can_add_passkeys).toBe(true);
  });
});
