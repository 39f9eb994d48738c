import { beforeEach, expect, test } from "vitest";
import { declareDead } from "#lib/domain/runs/recover/declare-dead";
import { claimInviteMail } from "#lib/domain/workspaces/invites/claim-invite-mail";
import { createInvite } from "#lib/domain/workspaces/invites/create-invite";
import { findInvite } from "#lib/domain/workspaces/invites/find-invite";
import { listInvites } from "#lib/domain/workspaces/invites/list-invites";
import { settleInviteMail } from "#lib/domain/workspaces/invites/settle-invite-mail";
import { addMember, type TestMember } from "#lib/domain/workspaces/member.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { listJobs } from "#lib/platform/jobs/list-jobs";
import { INVITE_MAIL_JOB } from "#lib/platform/jobs/payloads";
import { eventually } from "#lib/support/eventually.fixture";
import { useMailStage } from "#worker/chores/mail-stage.fixture";

useTestDatabase();
const stage = useMailStage();

let admin: TestMember;
beforeEach(async () => {
  admin = await addMember((await addWorkspace()).workspaceId, "admin");
});

const inviteOf = async () => (await listInvites(admin.workspaceId, { limit: 10 })).data[0];
const sealedLinks = async () => {
  const text = "select 1 from workspace_invites where workspace_id = $1 and link_sealed is not null";
  return (await db().query({ text, values: [admin.workspaceId] })).rowCount;
};

const jobs = async () => (await listJobs()).filter(({ task }) => task === "send_invite_mail");

test("an invite is mailed with its link to its address, and the link is not stored", async () => {
  const made = await createInvite({ ...admin, email: "ann@example.com", role: "editor" });
  expect(made.mail).toBe("waiting");
  await eventually(async () => expect((await inviteOf())?.mail).toBe("sent"));
  const { mails } = stage.server;
  expect(mails).toHaveLength(1);
  expect(mails[0]?.to).toEqual(["ann@example.com"]);
  const link = /https?:\S+invite=(\S+)/.exec(mails[0]?.text ?? "");
  expect(link?.[0]).toBe(made.link);
  expect(await findInvite(db(), link?.[1] ?? "")).toMatchObject({ email: "ann@example.com", role: "editor" });
  expect(await sealedLinks()).toBe(0);
  await eventually(async () => expect(await jobs()).toEqual([]));
});

test("a refused mail is retried, and its invite and its job show the mail server's answer until it succeeds", async () => {
  stage.server.refuses.add("bob@example.com");
  await createInvite({ ...admin, email: "bob@example.com", role: "viewer" });
  await eventually(async () =>
    expect(await inviteOf()).toMatchObject({ mail: "waiting", mail_error: expect.stringContaining("no such mailbox") }),
  );
  await eventually(async () =>
    expect(await jobs()).toEqual([
      expect.objectContaining({
        state: "waiting",
        last_error: expect.stringContaining("no such mailbox: [REDACTED_EMAIL]"),
      }),
    ]),
  );
  stage.server.refuses.clear();
  await eventually(async () => expect(await inviteOf()).toMatchObject({ mail: "sent", mail_error: null }));
  expect(stage.server.mails).toHaveLength(1);
});

test("an invite's mail is abandoned after the last of its attempts, which take a day", async () => {
  stage.server.refuses.add("eve@example.com");
  await createInvite({ ...admin, email: "eve@example.com", role: "viewer" });
  await eventually(async () => expect((await inviteOf())?.mail_error).not.toBeNull());
  const { max_attempts: attemptsMax } = INVITE_MAIL_JOB;
  await eventually(async () => {
    const text = `select graphile_worker.reschedule_jobs(array_agg(id), run_at := now(), attempts := $1)
                  from graphile_worker.jobs where task_identifier = 'send_invite_mail' and attempts < $1`;
    await db().query({ text, values: [attemptsMax - 1] });
    expect((await inviteOf())?.mail).toBe("failed");
  });
  expect(await sealedLinks()).toBe(0);
  expect(stage.server.mails).toEqual([]);
  await eventually(async () =>
    expect(await jobs()).toEqual([expect.objectContaining({ state: "failed", attempts: attemptsMax })]),
  );
  // The delays of graphile-worker, e^n seconds with n up to 10.
  const waits = Array.from({ length: attemptsMax - 1 }, (_, n) => Math.exp(Math.min(n + 1, 10)) / 3_600);
  expect(waits.reduce((sum, hours) => sum + hours)).toBeGreaterThan(21);
  await db().query("select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs");
});

test("an email that an older version left without a job is sent", async () => {
  stage.server.refuses.add("old@example.com");
  const { invite_id: id } = await createInvite({ ...admin, email: "old@example.com", role: "viewer" });
  await eventually(async () => expect((await jobs())[0]?.last_error).toEqual(expect.any(String)));
  await eventually(async () => {
    await db().query("select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs");
    expect(await jobs()).toEqual([]);
  });
  stage.server.refuses.clear();
  await db().query("update workspace_invites set next_mail_at = now() where id = $1", [id]);
  await db().query("select graphile_worker.add_job('set_up_mail', job_key := 'set_up_mail')");
  await eventually(async () => expect(await inviteOf()).toMatchObject({ mail: "sent", mail_error: null }));
});

test("two workers send each email once", async () => {
  await stage.startQueue();
  const addresses = Array.from({ length: 8 }, (_, n) => `p${n}@example.com`);
  for (const email of addresses) await createInvite({ ...admin, email, role: "viewer" });
  await eventually(async () => expect(await jobs()).toEqual([]));
  expect(stage.server.mails.map(({ to }) => to[0]).sort()).toEqual(addresses);
});

test("the email of a worker that died is sent by another one, and the first can no longer store a result", async () => {
  await stage.stop();
  const dying = await stage.startQueue();
  const { reached, answer } = stage.server.holdNext();
  await createInvite({ ...admin, email: "slow@example.com", role: "viewer" });
  await reached;
  expect(await jobs()).toMatchObject([{ state: "running", worker: dying.poolId }]);
  await stage.startQueue();
  await declareDead([dying.poolId]);
  await eventually(async () => expect((await inviteOf())?.mail).toBe("sent"));
  expect(stage.server.mails).toHaveLength(1);
  stage.server.refuses.add("slow@example.com");
  answer();
  await stage.stop();
  expect(await inviteOf()).toMatchObject({ mail: "sent", mail_error: null });
});

test("an invite and its job are written together, and a withdrawn invite is not mailed", async () => {
  const { invite_id: id } = await createInvite({ ...admin, email: "gone@example.com", role: "viewer" });
  expect(await jobs()).toMatchObject([{ state: "waiting", attempts: 0 }]);
  await db().query("delete from workspace_invites where id = $1", [id]);
  await stage.startQueue();
  await eventually(async () => expect(await jobs()).toEqual([]));
  expect(stage.server.mails).toEqual([]);
});

test("a slow worker cannot store a result after another worker has claimed the mail", async () => {
  await stage.stop();
  const { invite_id: id } = await createInvite({ ...admin, email: "slow@example.com", role: "viewer" });
  const slow = await claimInviteMail(id);
  const quick = await claimInviteMail(id);
  if (slow === null || quick === null) throw new Error("nothing was claimed");
  await settleInviteMail(slow, "timed out", true);
  expect(await inviteOf()).toMatchObject({ mail: "waiting", mail_error: null });
  await settleInviteMail(quick, null, false);
  await settleInviteMail(quick, "timed out", true);
  expect(await inviteOf()).toMatchObject({ mail: "sent", mail_error: null });
  expect(await claimInviteMail(id)).toBeNull();
});

test("an address gets at most three mails a day, no matter who invites it, and a workspace sends at most 200", async () => {
  const invite = async (by: TestMember, email: string) => (await createInvite({ ...by, email, role: "viewer" })).mail;
  const other = await addMember((await addWorkspace()).workspaceId, "admin");
  const often = "often@example.com";
  expect([await invite(admin, often), await invite(admin, often), await invite(other, often)]).toEqual(
    Array(3).fill("waiting"),
  );
  expect([await invite(admin, often), await invite(other, often)]).toEqual([null, null]);
  await db().query(
    `insert into invite_mails (id, workspace_id, email)
     select gen_random_uuid(), $1, 'p' || n || '@example.com' from generate_series(1, 198) n`,
    [admin.workspaceId],
  );
  expect([await invite(admin, "one@example.com"), await invite(other, "one@example.com")]).toEqual([null, "waiting"]);
  await db().query("update invite_mails set created_at = now() - interval '25 hours'");
  expect([await invite(admin, "two@example.com"), await invite(other, often)]).toEqual(["waiting", "waiting"]);
});
