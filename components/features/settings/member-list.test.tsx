import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Role } from "#lib/contract/workspace/roles";
import type { InviteObject, MemberObject } from "#lib/contract/workspace/workspace";
import { eventually } from "#lib/support/eventually.fixture";
import { MemberList } from "@/components/features/settings/member-list";
import { idOf, pageOf } from "@/components/testing/page.fixture";
import { expectAccessible, expectFocus, renderPage } from "@/components/testing/render-page.fixture";
import { sampleInvite, sampleMember } from "@/components/testing/workspace.fixture";

const ANN = "11111111-1111-4111-8111-111111111111";
const SELF = sampleMember({ user_id: ANN, name: "Ann", email: "ann@example.com", role: "owner" });

interface Options {
  role?: Role;
  invites?: InviteObject[];
}

function renderMembers(members: MemberObject[], { role = "owner", invites = [] }: Options = {}) {
  return renderPage(<MemberList />, {
    address: "/settings/members",
    session: { role },
    prepare: (server) => {
      server.answer("list_members", pageOf(members));
      if (role === "owner" || role === "admin") server.answer("list_invites", pageOf(invites));
    },
  });
}

const members = async () => within(await screen.findByRole("table", { name: "Members" }));

test("an owner sees members with their roles and keys, and can remove everyone but themselves", async () => {
  renderMembers([SELF, sampleMember({ active_keys: 2 })]);
  const table = await members();
  table.getByText("(you)");
  table.getByText("bob@example.com");
  expect(table.getByRole<HTMLSelectElement>("combobox", { name: "Role of Bob" }).value).toBe("editor");
  expect(table.queryByRole("button", { name: "Remove Ann" })).toBeNull();
  table.getByRole("button", { name: "Remove Bob" });
  table.getByRole("button", { name: "Leave workspace" });
  await screen.findByText("No open invites.");
  await expectAccessible();
});

test("a role changes at once, and a refusal restores the previous one with the reason", async () => {
  const { user, server } = renderMembers([SELF, sampleMember()]);
  server.answer("set_member_role", sampleMember({ role: "viewer" }));
  const role = (await members()).getByRole<HTMLSelectElement>("combobox", { name: "Role of Bob" });
  await user.selectOptions(role, "viewer");
  await screen.findByText("Bob now has the viewer role.");
  expect(server.sent("set_member_role")).toEqual([{ user_id: idOf(1), role: "viewer" }]);
  server.refuse("set_member_role", { code: "LAST_OWNER", message: "A workspace needs an owner." });
  await user.selectOptions(role, "admin");
  await screen.findByText("A workspace needs an owner.");
  expect(role.value).toBe("editor");
});

test("an admin can't grant a role above their own or change an owner", async () => {
  renderMembers([SELF, sampleMember(), sampleMember({ user_id: idOf(2), name: "Olga", role: "owner" })], {
    role: "admin",
  });
  const table = await members();
  const options = table.getByRole<HTMLSelectElement>("combobox", { name: "Role of Bob" }).options;
  expect([...options].map(({ value }) => value)).toEqual(["viewer", "approver", "editor", "admin"]);
  expect(table.queryByRole("combobox", { name: "Role of Olga" })).toBeNull();
  expect(table.queryByRole("button", { name: "Remove Olga" })).toBeNull();
});

test("a viewer sees members and roles, and no invites are requested", async () => {
  const { server } = renderMembers([SELF, sampleMember()], { role: "viewer" });
  expect((await members()).queryByRole("combobox")).toBeNull();
  screen.getByRole("heading", { name: "What each role can do" });
  expect(screen.queryByRole("button", { name: "Invite" })).toBeNull();
  expect(screen.queryByRole("link", { name: "Audit log" })).toBeNull();
  expect(server.sent("list_invites")).toEqual([]);
});

test("removing a member asks what happens to their keys, revokes them by default, and is sent once", async () => {
  const { user, server } = renderMembers([SELF, sampleMember({ active_keys: 2 })]);
  server.answer("remove_member", { user_id: idOf(1), removed: true });
  await user.click((await members()).getByRole("button", { name: "Remove Bob" }));
  const question = within(await screen.findByRole("alertdialog", { name: "Remove Bob?" }));
  const choice = question.getByRole<HTMLSelectElement>("combobox", { name: "2 API keys they created" });
  expect(choice.value).toBe("revoke");
  question.getByText("Calls with these keys get 401 at once.");
  await user.click(question.getByRole("button", { name: "Remove" }));
  await screen.findByText("Bob was removed and no longer has access.");
  expect(server.sent("remove_member")).toEqual([{ user_id: idOf(1), keys: { fate: "revoke" } }]);
});

test("leaving the only workspace needs a warning first, and a refusal stays in the dialog", async () => {
  const { user, server } = renderMembers([SELF]);
  server.answer("list_workspaces", {
    data: [{ workspace_id: idOf(5), slug: "acme", name: "Acme", plan: "free", role: "owner" }],
  });
  server.refuse("leave_workspace", { code: "LAST_OWNER", message: "A workspace needs an owner." });
  await user.click((await members()).getByRole("button", { name: "Leave workspace" }));
  const question = within(await screen.findByRole("alertdialog", { name: "Leave Acme?" }));
  await question.findByText(/This is your only workspace/);
  await user.click(question.getByRole("button", { name: "Leave" }));
  expect((await question.findByRole("alert")).textContent).toBe("A workspace needs an owner.");
});

test("an invite shows whether its mail was sent, and why it failed", async () => {
  renderMembers([SELF], {
    invites: [
      sampleInvite({ mail: "sent" }),
      sampleInvite({ invite_id: idOf(2), email: "dan@example.com", mail: "failed", mail_error: "no such mailbox" }),
      sampleInvite({ invite_id: idOf(3), email: "eva@example.com", status: "expired", invited_by: null }),
    ],
  });
  const table = within(await screen.findByRole("table", { name: "Open invites" }));
  table.getByText("Mailed");
  table.getByText("Couldn't send mail: no such mailbox");
  table.getByText("Expired");
  table.getByText("Former member");
});

test("the link of an invite is shown once, ready to be copied", async () => {
  const { user, server } = renderMembers([SELF]);
  await members();
  server.answer("create_invite", { ...sampleInvite(), link: "https://signalbox.example/join/token" });
  await user.click(screen.getByRole("button", { name: "Invite" }));
  await user.type(await screen.findByRole("textbox", { name: "Email" }), "cleo@example.com");
  await user.click(screen.getByRole("button", { name: "Create link" }));
  const dialog = await screen.findByRole("dialog", { name: "Invite for cleo@example.com" });
  expect(within(dialog).getByTestId("invite-link").textContent).toBe("https://signalbox.example/join/token");
  within(dialog).getByText(/^We didn't email the link/);
  await expectFocus(within(dialog).getByRole("button", { name: "Copy link" }));
  await user.click(within(dialog).getByRole("button", { name: "Done" }));
  await eventually(() => expect(document.body.innerHTML).not.toContain("join/token"));
});

test("a new link keeps the address and the role of the invite", async () => {
  const { user } = renderMembers([SELF], { invites: [sampleInvite()] });
  await user.click(await screen.findByRole("button", { name: "New link for cleo@example.com" }));
  await screen.findByRole("dialog", { name: "New invite link" });
  const email = screen.getByRole<HTMLInputElement>("textbox", { name: "Email" });
  expect([email.value, email.readOnly]).toEqual(["cleo@example.com", true]);
  expect(screen.getByRole<HTMLSelectElement>("combobox", { name: "Role" }).value).toBe("viewer");
});

test("an invite is withdrawn after a confirmation, and the list is refetched", async () => {
  const { user, server } = renderMembers([SELF], { invites: [sampleInvite()] });
  server.answer("revoke_invite", { invite_id: idOf(1), revoked: true });
  await user.click(await screen.findByRole("button", { name: "Withdraw invite for cleo@example.com" }));
  server.answer("list_invites", pageOf<InviteObject>([]));
  await user.click(await screen.findByRole("button", { name: "Withdraw" }));
  await screen.findByText("No open invites.");
  expect(server.sent("revoke_invite")).toEqual([{ invite_id: idOf(1) }]);
});
