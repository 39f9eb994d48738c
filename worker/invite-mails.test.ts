import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { db } from "#lib/db/pool";
import { useTestDatabase } from "#lib/db/test-database";
import { startMailServer } from "#lib/outbound-events/receivers.fixture";
import { createInvite } from "#lib/workspaces/create-invite";
import { findInvite } from "#lib/workspaces/find-invite";
import { listInvites } from "#lib/workspaces/list-invites";
import { addMember, type TestMember } from "#lib/workspaces/member.fixture";
import { addWorkspace } from "#lib/workspaces/workspace.fixture";
import { startInviteMails } from "#worker/invite-mails";

useTestDatabase();

let server: Awaited<ReturnType<typeof startMailServer>>;
let mails: ReturnType<typeof startInviteMails>;
let admin: TestMember;
beforeAll(async () => {
  server = await startMailServer();
  process.env.SMTP_URL = server.url;
  process.env.MAIL_FROM = "Signalbox <bot@signalbox.example>";
  mails = startInviteMails(20);
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
const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 10_000, interval: 20 });

test("an invite is mailed to its address, with the link that lets in, and no copy of the link stays", async () => {
  const made = await createInvite({ ...admin, email: "ann@example.com", role: "editor" });
  expect(made.mail).toBe("waiting");
  await until(async () => expect((await inviteOf())?.mail).toBe("sent"));
  expect(server.mails).toHaveLength(1);
  expect(server.mails[0]?.to).toEqual(["ann@example.com"]);
  const link = /https?:\S+invite=(\S+)/.exec(server.mails[0]?.text ?? "");
  expect(link?.[0]).toBe(made.link);
  expect(await findInvite(db(), link?.[1] ?? "")).toMatchObject({ email: "ann@example.com", role: "editor" });
  expect(await sealedLinks()).toBe(0);
});

test("a refused mail is tried again, and says what the mail server said until then", async () => {
  server.refuses.add("bob@example.com");
  await createInvite({ ...admin, email: "bob@example.com", role: "viewer" });
  await until(async () =>
    expect(await inviteOf()).toMatchObject({ mail: "waiting", mail_error: expect.stringContaining("no such mailbox") }),
  );
  server.refuses.clear();
  await db().query("update workspace_invites set next_mail_at = now() where mailed_at is null");
  await until(async () => expect(await inviteOf()).toMatchObject({ mail: "sent", mail_error: null }));
  expect(server.mails).toHaveLength(1);
});

test("after a day of refusals it is given up", async () => {
  server.refuses.add("eve@example.com");
  await createInvite({ ...admin, email: "eve@example.com", role: "viewer" });
  await until(async () => expect((await inviteOf())?.mail_error).not.toBeNull());
  await db().query("update workspace_invites set mail_attempts = 6, next_mail_at = now() where mailed_at is null");
  await until(async () => expect((await inviteOf())?.mail).toBe("failed"));
  expect(await sealedLinks()).toBe(0);
  expect(server.mails).toEqual([]);
});
