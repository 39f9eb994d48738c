import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startMailServer } from "#lib/domain/outbound-events/deliveries/receivers.fixture";
import { claimInviteMail } from "#lib/domain/workspaces/invites/claim-invite-mail";
import { createInvite } from "#lib/domain/workspaces/invites/create-invite";
import { findInvite } from "#lib/domain/workspaces/invites/find-invite";
import { listInvites } from "#lib/domain/workspaces/invites/list-invites";
import { settleInviteMail } from "#lib/domain/workspaces/invites/settle-invite-mail";
import { addMember, type TestMember } from "#lib/domain/workspaces/member.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { eventually } from "#lib/support/eventually.fixture";
import { startMails } from "#worker/chores/mail-people";

useTestDatabase();

let server: Awaited<ReturnType<typeof startMailServer>>;
let mails: ReturnType<typeof startMails>;
let admin: TestMember;
beforeAll(async () => {
  server = await startMailServer();
  process.env.SMTP_URL = server.url;
  process.env.MAIL_FROM = "Signalbox <bot@signalbox.example>";
  mails = startMails(20);
});
beforeEach(async () => {
  admin = await addMember((await addWorkspace()).workspaceId, "admin");
  server.mails.length = 0;
});
afterAll(async () => {
  await mails.stop();
  await server.close();
});

const inviteOf = async () => (await listInvites(admin.workspaceId, { limit: 10 })).data[0];
const sealedLinks = async () => {
  const text = "select 1 from workspace_invites where workspace_id = $1 and link_sealed is not null";
  return (await db().query({ text, values: [admin.workspaceId] })).rowCount;
};

test("an invite is mailed with its link to its address, and the link is not stored", async () => {
  const made = await createInvite({ ...admin, email: "ann@example.com", role: "editor" });
  expect(made.mail).toBe("waiting");
  await eventually(async () => expect((await inviteOf())?.mail).toBe("sent"));
  expect(server.mails).toHaveLength(1);
  expect(server.mails[0]?.to).toEqual(["ann@example.com"]);
  const link = /https?:\S+invite=(\S+)/.exec(server.mails[0]?.text ?? "");
  expect(link?.[0]).toBe(made.link);
  expect(await findInvite(db(), link?.[1] ?? "")).toMatchObject({ email: "ann@example.com", role: "editor" });
  expect(await sealedLinks()).toBe(0);
});

test("a refused mail is retried, and shows the mail server's answer until it succeeds", async () => {
  server.refuses.add("bob@example.com");
  await createInvite({ ...admin, email: "bob@example.com", role: "viewer" });
  await eventually(async () =>
    expect(await inviteOf()).toMatchObject({ mail: "waiting", mail_error: expect.stringContaining("no such mailbox") }),
  );
  server.refuses.clear();
  await db().query("update workspace_invites set next_mail_at = now() - interval '1 second' where mailed_at is null");
  await eventually(async () => expect(await inviteOf()).toMatchObject({ mail: "sent", mail_error: null }));
  expect(server.mails).toHaveLength(1);
});

test("an invite's mail is abandoned after a day of refusals", async () => {
  server.refuses.add("eve@example.com");
  await createInvite({ ...admin, email: "eve@example.com", role: "viewer" });
  await eventually(async () => expect((await inviteOf())?.mail_error).not.toBeNull());
  await db().query("update workspace_invites set mail_attempts = 6, next_mail_at = now() where mailed_at is null");
  await eventually(async () => expect((await inviteOf())?.mail).toBe("failed"));
  expect(await sealedLinks()).toBe(0);
  expect(server.mails).toEqual([]);
});

test("a slow worker cannot store a result after another worker has claimed the mail", async () => {
  await mails.stop();
  await createInvite({ ...admin, email: "slow@example.com", role: "viewer" });
  const slow = await claimInviteMail();
  expect(await claimInviteMail()).toBeNull();
  await db().query("update workspace_invites set next_mail_at = now() - interval '1 second' where mailed_at is null");
  const quick = await claimInviteMail();
  if (slow === null || quick === null) throw new Error("nothing was claimed");
  await settleInviteMail(slow, "timed out");
  expect(await inviteOf()).toMatchObject({ mail: "waiting", mail_error: null });
  await settleInviteMail(quick, null);
  await settleInviteMail(quick, "timed out");
  expect(await inviteOf()).toMatchObject({ mail: "sent", mail_error: null });
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
