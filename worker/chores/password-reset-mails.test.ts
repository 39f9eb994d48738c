import { beforeEach, expect, test } from "vitest";
import { errorOf } from "#lib/contract/error/error-of.fixture";
import { resetPassword } from "#lib/domain/accounts/change-password";
import { verifyPassword } from "#lib/domain/accounts/hash-password";
import { claimResetMail, settleResetMail } from "#lib/domain/accounts/password-reset/claim-reset-mail";
import { redeemResetLink } from "#lib/domain/accounts/password-reset/redeem-reset-link";
import { requestPasswordReset } from "#lib/domain/accounts/password-reset/request-password-reset";
import { addMember, type TestMember } from "#lib/domain/workspaces/member.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { listJobs } from "#lib/platform/jobs/list-jobs";
import { eventually } from "#lib/support/eventually.fixture";
import { useMailStage } from "#worker/chores/mail-stage.fixture";

useTestDatabase();

const stage = useMailStage();

const NEW_PASSWORD = "seven quiet otters at noon";
let person: TestMember;
let email: string;
beforeEach(async () => {
  person = await addMember((await addWorkspace()).workspaceId, "viewer");
  email = (await userRow()).email;
});

const userRow = async () =>
  (await db().query("select email, password_hash, session_epoch from users where id = $1", [person.userId])).rows[0];
const isDue = async () => {
  const text = "select 1 from password_resets where user_id = $1 and next_mail_at is not null";
  return (await db().query(text, [person.userId])).rowCount === 1;
};
const resetJob = async () => (await listJobs()).find(({ task }) => task === "send_reset_mail");
const tokenIn = (index: number) => /token=(\S+)/.exec(stage.server.mails[index]?.text ?? "")?.[1] ?? "";

/** Requests a link and waits for the email. */
async function askForLink(): Promise<string> {
  const before = stage.server.mails.length;
  await requestPasswordReset(email);
  await eventually(() => expect(stage.server.mails).toHaveLength(before + 1));
  return tokenIn(before);
}

test("the emailed link sets a new password once, and ends every session", async () => {
  const { session_epoch: epoch } = await userRow();
  const token = await askForLink();
  expect(stage.server.mails[0]?.to).toEqual([email]);
  await redeemResetLink(token, NEW_PASSWORD);
  const changed = await userRow();
  expect(await verifyPassword(changed.password_hash, NEW_PASSWORD)).toBe(true);
  expect(changed.session_epoch).toBe(epoch + 1);
  expect((await errorOf(redeemResetLink(token, "another long phrase of mine"))).code).toBe("FORBIDDEN");
  const { rows } = await db().query("select action, actor_id from audit_events where object_id = $1", [person.userId]);
  expect(rows).toContainEqual({ action: "user.password_changed", actor_id: person.userId });
});

test("two simultaneous uses of a link set one password", async () => {
  const token = await askForLink();
  const passwords = [NEW_PASSWORD, "nine loud herons at dawn"];
  const results = await Promise.allSettled(passwords.map((password) => redeemResetLink(token, password)));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("a link stops working if the password is changed in another way", async () => {
  const token = await askForLink();
  await resetPassword(person.userId, "nine loud herons at dawn", { type: "user", id: person.userId, name: "Ann" });
  expect((await errorOf(redeemResetLink(token, NEW_PASSWORD))).code).toBe("FORBIDDEN");
});

test("a weak password is refused and does not use up the link", async () => {
  const token = await askForLink();
  const error = await errorOf(redeemResetLink(token, "password1234"));
  expect(error.details).toMatchObject([{ field: "new_password" }]);
  await redeemResetLink(token, NEW_PASSWORD);
});

test("an expired link and a replaced link set no password", async () => {
  const first = await askForLink();
  const second = await askForLink();
  expect((await errorOf(redeemResetLink(first, NEW_PASSWORD))).code).toBe("FORBIDDEN");
  await db().query("update password_resets set expires_at = now() - interval '1 second'");
  expect((await errorOf(redeemResetLink(second, NEW_PASSWORD))).message).toContain("expired");
});

test("an address without an account gets no email, and a person gets at most five a day", async () => {
  await requestPasswordReset("stranger@example.com");
  for (let request = 0; request < 5; request += 1) await askForLink();
  await requestPasswordReset(email);
  await eventually(async () => expect(await isDue()).toBe(false));
  expect(stage.server.mails.map(({ to }) => to)).toEqual(Array(5).fill([email]));
  await db().query("update password_resets set first_requested_at = now() - interval '25 hours'");
  await askForLink();
});

test("a refused email is sent again with a new link, and the database stores no secret in the meantime", async () => {
  stage.server.refuses.add(email);
  await requestPasswordReset(email);
  await eventually(async () =>
    expect(await resetJob()).toMatchObject({
      state: "waiting",
      last_error: expect.stringContaining("no such mailbox"),
    }),
  );
  stage.server.refuses.clear();
  await eventually(() => expect(stage.server.mails).toHaveLength(1));
  await redeemResetLink(tokenIn(0), NEW_PASSWORD);
});

test("a slow worker cannot settle an email that another worker has claimed", async () => {
  await stage.stop();
  await requestPasswordReset(email);
  const slow = await claimResetMail(person.userId);
  const quick = await claimResetMail(person.userId);
  if (slow === null || quick === null) throw new Error("nothing was claimed");
  await settleResetMail(slow, true);
  expect(await isDue()).toBe(true);
  await settleResetMail(quick, true);
  expect(await isDue()).toBe(false);
  expect(await claimResetMail(person.userId)).toBeNull();
});

test("a person who requests a link again while an email is being sent gets another email", async () => {
  await stage.startQueue();
  const { reached, answer } = stage.server.holdNext();
  await requestPasswordReset(email);
  await reached;
  await requestPasswordReset(email);
  answer();
  await eventually(() => expect(stage.server.mails.map(({ to }) => to)).toEqual([[email], [email]]));
  await eventually(async () => expect(await isDue()).toBe(false));
  await redeemResetLink(tokenIn(1), NEW_PASSWORD);
});
