import { beforeEach, describe, expect, test, vi } from "vitest";
import { signUpInput } from "#lib/contract/account/person-inputs";
import { deviceSubject } from "#lib/domain/accounts/attempts/known-device";
import { changePassword } from "#lib/domain/accounts/change-password";
import { checkSignIn } from "#lib/domain/accounts/check-sign-in";
import { findAccountById } from "#lib/domain/accounts/find-account";
import { addSession } from "#lib/domain/accounts/session.fixture";
import { signUp } from "#lib/domain/accounts/sign-up";
import { codeAt, enrollTotp } from "#lib/domain/accounts/two-step/authenticator.fixture";
import { beginTotp } from "#lib/domain/accounts/two-step/begin-totp";
import { checkSecondFactor } from "#lib/domain/accounts/two-step/check-second-factor";
import { confirmIdentity } from "#lib/domain/accounts/two-step/confirm-identity";
import { confirmTotp } from "#lib/domain/accounts/two-step/confirm-totp";
import { getTwoStep } from "#lib/domain/accounts/two-step/get-two-step";
import { removeFactor } from "#lib/domain/accounts/two-step/remove-factor";
import { replaceRecoveryCodes } from "#lib/domain/accounts/two-step/replace-recovery-codes";
import { findMember } from "#lib/domain/workspaces/find-member";
import { db } from "#lib/platform/db/pool";
import { emptyTables, useTestDatabase } from "#lib/platform/db/test-database";
import { uuidv7 } from "#lib/support/ids";

useTestDatabase();

const PASSWORD = "right password";
const STEP_MS = 30_000;
let userId: string;
let sessionId: string;
const request = () => ({ userId, actor: { type: "user" as const, id: userId, name: "Ann" }, sessionId });
/** The first factor raises the epoch of the sessions to 1. */
const newTicket = (epoch = 1) => ({
  id: uuidv7(),
  expiresAt: new Date(Date.now() + 60_000),
  data: { user_id: userId, epoch },
});
const enter = (proof: Parameters<typeof checkSecondFactor>[0]["proof"], ticket = newTicket()) =>
  checkSecondFactor({ ticket, proof, source: { address: "1.1.1.1" }, inviteToken: null });
const grow = (minutes: number) =>
  db().query("update user_sessions set verified_at = now() - make_interval(mins => $1)", [minutes]);

beforeEach(async () => {
  vi.useRealTimers();
  await emptyTables("users", "workspaces", "sign_in_attempts");
  ({ userId } = await signUp(signUpInput.parse({ name: "Ann", email: "ann@example.com", password: PASSWORD })));
  ({ sessionId } = await addSession(userId));
});

describe("an authenticator app", () => {
  test("counts only after a code confirmed it, and its secret is stored sealed", async () => {
    const { secret, uri } = await beginTotp(request());
    expect(uri).toContain(`secret=${secret}`);
    expect(uri).toContain("Signalbox:ann%40example.com");
    expect(await getTwoStep(userId)).toMatchObject({ is_on: false, has_authenticator: false });
    await expect(confirmTotp({ ...request(), code: "000000" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    expect(await checkSignIn("ann@example.com", PASSWORD, { address: "1.1.1.1" })).toMatchObject({
      status: "signed_in",
    });
    expect(await confirmTotp({ ...request(), code: codeAt(secret) })).toHaveLength(10);
    expect(await getTwoStep(userId)).toMatchObject({ is_on: true, has_authenticator: true, recovery_codes_left: 10 });
    const { rows } = await db().query<{ row: string }>("select user_totp::text as row from user_totp");
    expect(rows[0]?.row).not.toContain(secret);
    expect(rows[0]?.row).not.toContain(Buffer.from(secret).toString("hex"));
  });

  test("makes the password only the first step of a sign-in", async () => {
    const { secret } = await enrollTotp(userId, sessionId);
    expect(await checkSignIn("ann@example.com", PASSWORD, { address: "1.1.1.1" })).toEqual({
      status: "second_factor_needed",
      userId,
      sessionEpoch: 1,
    });
    expect(await checkSignIn("ann@example.com", "wrong password", { address: "1.1.1.1" })).toEqual({
      status: "refused",
    });
    expect(await enter({ code: codeAt(secret) })).toMatchObject({ status: "signed_in", secondFactor: "authenticator" });
  });

  test("accepts each code once, also from two requests at a time, and no older one after it", async () => {
    const { secret } = await enrollTotp(userId, sessionId);
    const now = Date.now();
    const outcomes = await Promise.all([1, 2, 3].map(() => enter({ code: codeAt(secret, now) })));
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["refused", "refused", "signed_in"]);
    expect(await enter({ code: codeAt(secret, now - STEP_MS) })).toEqual({ status: "refused" });
    expect(await enter({ code: codeAt(secret, now + STEP_MS) })).toMatchObject({ status: "signed_in" });
  });

  test("accepts the code of the step before, and none that is older", async () => {
    const { secret } = await enrollTotp(userId, sessionId);
    const now = Math.floor(Date.now() / STEP_MS) * STEP_MS + 1_000;
    vi.useFakeTimers({ now, toFake: ["Date"] });
    expect(await enter({ code: codeAt(secret, now - 2 * STEP_MS) })).toEqual({ status: "refused" });
    expect(await enter({ code: codeAt(secret, now - STEP_MS) })).toMatchObject({ status: "signed_in" });
  });

  test("allows ten wrong codes in a row, also with new tickets", async () => {
    const { secret } = await enrollTotp(userId, sessionId);
    for (let attempt = 0; attempt < 10; attempt++)
      expect(await enter({ code: "000000" })).toEqual({ status: "refused" });
    expect(await enter({ code: codeAt(secret) })).toMatchObject({ status: "throttled" });
  });
});

describe("a ticket of the first step", () => {
  test("lets one sign-in finish, not two", async () => {
    const { codes } = await enrollTotp(userId, sessionId);
    const ticket = newTicket();
    expect(await enter({ recovery_code: codes[0] ?? "" }, ticket)).toMatchObject({ status: "signed_in" });
    expect(await enter({ recovery_code: codes[1] ?? "" }, ticket)).toEqual({ status: "expired" });
  });

  test("is useless after the password changed", async () => {
    const { secret } = await enrollTotp(userId, sessionId);
    await db().query("update users set session_epoch = session_epoch + 1");
    expect(await enter({ code: codeAt(secret) })).toEqual({ status: "expired" });
  });

  test("uses up no attempt after the password changed", async () => {
    const { secret } = await enrollTotp(userId, sessionId);
    for (let attempt = 0; attempt < 11; attempt++) {
      expect(await enter({ code: "000000" }, newTicket(0))).toEqual({ status: "expired" });
    }
    expect(await enter({ code: codeAt(secret) })).toMatchObject({ status: "signed_in" });
  });
});

describe("recovery codes", () => {
  test("work once each, however they are typed, and are stored as hashes", async () => {
    const { codes } = await enrollTotp(userId, sessionId);
    const [first = ""] = codes;
    const { rows } = await db().query<{ hash: string }>(
      "select encode(code_hash, 'escape') as hash from user_recovery_codes",
    );
    expect(JSON.stringify(rows)).not.toContain(first);
    const typed = first.toUpperCase().replaceAll("-", " ").replaceAll("0", "O");
    expect(await enter({ recovery_code: typed })).toMatchObject({ status: "signed_in", secondFactor: "recovery_code" });
    expect(await enter({ recovery_code: first })).toEqual({ status: "refused" });
    expect((await getTwoStep(userId)).recovery_codes_left).toBe(9);
  });

  test("stop working when they are replaced", async () => {
    const { codes } = await enrollTotp(userId, sessionId);
    const next = await replaceRecoveryCodes(request());
    expect(await enter({ recovery_code: codes[0] ?? "" })).toEqual({ status: "refused" });
    expect(await enter({ recovery_code: next[0] ?? "" })).toMatchObject({ status: "signed_in" });
  });

  test("open nothing for another person", async () => {
    const { codes } = await enrollTotp(userId, sessionId);
    await db().query("update user_recovery_codes set used_at = null");
    const other = "018f0000-0000-7000-8000-000000000009";
    await db().query("insert into users (id, email, name) values ($1, 'bob@example.com', 'Bob')", [other]);
    await db().query("update user_recovery_codes set user_id = $1", [other]);
    expect(await enter({ recovery_code: codes[0] ?? "" })).toEqual({ status: "refused" });
  });
});

describe("changes of second factors", () => {
  test("need a recent proof of identity", async () => {
    const { secret } = await enrollTotp(userId, sessionId);
    await grow(11);
    for (const change of [
      () => beginTotp(request()),
      () => confirmTotp({ ...request(), code: "000000" }),
      () => removeFactor(request()),
      () => replaceRecoveryCodes(request()),
    ]) {
      await expect(change()).rejects.toMatchObject({ reason: "confirmation_needed" });
    }
    await confirmIdentity({ userId, sessionId, proof: { code: codeAt(secret) } });
    await removeFactor(request());
    expect(await getTwoStep(userId)).toMatchObject({ is_on: false, recovery_codes_left: 0 });
  });

  test("cannot be unlocked by the password alone once two-step verification is on", async () => {
    await grow(11);
    await confirmIdentity({ userId, sessionId, proof: { password: PASSWORD } });
    await enrollTotp(userId, sessionId);
    await grow(11);
    await expect(confirmIdentity({ userId, sessionId, proof: { password: PASSWORD } })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
    await expect(removeFactor(request())).rejects.toMatchObject({ reason: "confirmation_needed" });
  });

  test("can be confirmed in a session while a stranger uses up the attempts at the second step of the sign-in", async () => {
    const { secret } = await enrollTotp(userId, sessionId);
    for (let attempt = 0; attempt < 11; attempt++) await enter({ code: "000000" });
    expect(await enter({ code: codeAt(secret) })).toMatchObject({ status: "throttled" });
    await confirmIdentity({ userId, sessionId, proof: { code: codeAt(secret) } });
  });

  test("need a confirmation that allows ten wrong codes in a row", async () => {
    const { secret } = await enrollTotp(userId, sessionId);
    const confirm = (code: string) => confirmIdentity({ userId, sessionId, proof: { code } });
    for (let attempt = 0; attempt < 10; attempt++) {
      await expect(confirm("000000")).rejects.toMatchObject({ code: "BAD_REQUEST" });
    }
    await expect(confirm(codeAt(secret))).rejects.toMatchObject({ code: "RATE_LIMIT_EXCEEDED" });
  });

  test("keep a stolen session with a stolen password from changing the password", async () => {
    const { secret } = await enrollTotp(userId, sessionId);
    const change = () => changePassword({ ...request(), currentPassword: PASSWORD, newPassword: "seven quiet herons" });
    await grow(11);
    await expect(change()).rejects.toMatchObject({ code: "FORBIDDEN", reason: "confirmation_needed" });
    await confirmIdentity({ userId, sessionId, proof: { code: codeAt(secret) } });
    await change();
    expect(await checkSignIn("ann@example.com", "seven quiet herons", { address: "1.1.1.1" })).toMatchObject({
      status: "second_factor_needed",
    });
  });

  test("end the sessions that started without a second factor when the first one is added", async () => {
    const own = { userId, epoch: 0, sessionId };
    const other = await addSession(userId);
    expect(await findMember(other, null)).not.toBeNull();
    await enrollTotp(userId, sessionId);
    const { rows } = await db().query<{ id: string }>("select id from user_sessions");
    expect(rows).toEqual([{ id: sessionId }]);
    expect(await findMember(other, null)).toBeNull();
    expect(await findMember(own, null)).toMatchObject({ userId });
    // A second one ends nothing, because the other sessions have passed the second step.
    const next = await addSession(userId, 1);
    await removeFactor({ ...request(), sessionId });
    expect(await findMember(next, null)).not.toBeNull();
  });

  test("end sign-ins in progress, tickets and known devices from before the first one", async () => {
    const device = { id: uuidv7(), expires_at: Date.now() + 60_000, people: [{ user_id: userId, epoch: 0 }] };
    // The password was checked before the factor was added, and the session starts after it.
    const outcome = await checkSignIn("ann@example.com", PASSWORD, { address: "1.1.1.1" });
    const { secret } = await enrollTotp(userId, sessionId);
    expect(outcome).toMatchObject({ status: "signed_in", sessionEpoch: 0 });
    expect(await findMember(await addSession(userId, 0), null)).toBeNull();
    expect(await enter({ code: codeAt(secret) }, newTicket(0))).toEqual({ status: "expired" });
    const { session_epoch: epoch = 0 } = (await findAccountById(userId)) ?? {};
    expect(deviceSubject(device, userId, epoch)).toBeNull();
  });

  test("a wrong one is written to the audit log, for a sign-in with its address", async () => {
    const { secret } = await enrollTotp(userId, sessionId);
    await enter({ code: "000000" });
    await enter({ recovery_code: "nonsense" });
    await confirmIdentity({ userId, sessionId, proof: { code: "000000" } }).catch(() => undefined);
    await enter({ code: codeAt(secret) });
    const { rows } = await db().query(
      "select actor_type, actor_id, object_id, details from audit_events where action = 'user.second_factor_failed' order by id",
    );
    const failure = { actor_type: "system", actor_id: null, object_id: userId };
    expect(rows).toEqual([
      { ...failure, details: { second_factor: "authenticator", address: "1.1.1.1" } },
      { ...failure, details: { second_factor: "recovery_code", address: "1.1.1.1" } },
      { ...failure, details: { second_factor: "authenticator", address: null } },
    ]);
  });

  test("are written to the audit log", async () => {
    await enrollTotp(userId, sessionId);
    await removeFactor(request());
    const { rows } = await db().query<{ action: string }>(
      "select action from audit_events where object_id = $1 order by at, id",
      [userId],
    );
    // The rows of one transaction have the same time and no order.
    const actions = rows.map(({ action }) => action);
    expect(actions.slice(0, 2).toSorted()).toEqual(["user.authenticator_added", "user.two_step_turned_on"]);
    expect(actions.slice(2).toSorted()).toEqual(["user.authenticator_removed", "user.two_step_turned_off"]);
  });
});
