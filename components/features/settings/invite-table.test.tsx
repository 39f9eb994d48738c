import { screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { InviteObject } from "#lib/contract/workspace/workspace";
import { eventually } from "#lib/support/eventually.fixture";
import { InviteTable } from "@/components/features/settings/invite-table";
import { idOf, pageOf, secondsAgo } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";
import { sampleInvite } from "@/components/testing/workspace.fixture";

function renderInvites(invites: InviteObject[]) {
  const onOpen = vi.fn();
  const page = renderPage(
    <InviteTable onOpen={onOpen}>
      <p>Below the table</p>
    </InviteTable>,
    { prepare: (server) => server.answer("list_invites", pageOf(invites)) },
  );
  return { ...page, onOpen };
}

const rowOf = async (email: string) => {
  const cell = await screen.findByRole("cell", { name: email });
  return within(cell.closest("tr") ?? document.body);
};

test("an invite shows its role, who sent it and when it expires", async () => {
  const expiresAt = secondsAgo(-86_400 * 3);
  renderInvites([sampleInvite({ role: "admin", invited_by: "Ann", expires_at: expiresAt })]);
  const row = await rowOf("cleo@example.com");
  row.getByRole("cell", { name: "Admin" });
  row.getByRole("cell", { name: "Ann" });
  expect(row.getByRole("time").getAttribute("datetime")).toBe(expiresAt);
  await expectAccessible();
});

test("an expired invite says so instead of showing a time", async () => {
  renderInvites([sampleInvite({ status: "expired" })]);
  const row = await rowOf("cleo@example.com");
  row.getByText(/^Expired/);
  expect(row.queryByRole("time")).toBeNull();
});

test("an invite that was not mailed shows nothing about mail", async () => {
  renderInvites([sampleInvite({ mail: null })]);
  const row = await rowOf("cleo@example.com");
  expect(row.queryByText(/mail(ed)?/i)).toBeNull();
});

test("a mail that the mail server refused for now shows the reason and that it will be retried", async () => {
  renderInvites([sampleInvite({ mail: "waiting", mail_error: "greylisted" })]);
  const row = await rowOf("cleo@example.com");
  row.getByText(/retrying.*: greylisted$/);
});

test("a mail that is being sent shows no error", async () => {
  renderInvites([sampleInvite({ mail: "waiting", mail_error: null })]);
  const row = await rowOf("cleo@example.com");
  expect(row.getByText(/Sending mail$/).textContent).not.toContain(":");
});

test("an expired invite can be renewed for the same address with the same role", async () => {
  const { user, onOpen } = renderInvites([sampleInvite({ status: "expired", role: "approver" })]);
  await user.click((await rowOf("cleo@example.com")).getByRole("button", { name: /^New link/ }));
  expect(onOpen).toHaveBeenCalledExactlyOnceWith({ kind: "invite", email: "cleo@example.com", role: "approver" });
});

test("withdrawing asks about the invite of that row", async () => {
  const dan = sampleInvite({ invite_id: idOf(2), email: "dan@example.com" });
  const { user, onOpen } = renderInvites([sampleInvite(), dan]);
  await user.click((await rowOf("dan@example.com")).getByRole("button", { name: /invite .*dan@example\.com$/ }));
  expect(onOpen).toHaveBeenCalledExactlyOnceWith({ kind: "withdraw", invite: dan });
});

test("the next page of invites is appended to the first", async () => {
  const { user } = renderPage(<InviteTable onOpen={vi.fn()}>{null}</InviteTable>, {
    prepare: (server) =>
      server.answer("list_invites", ({ cursor }) =>
        cursor === "second"
          ? pageOf([sampleInvite({ invite_id: idOf(2), email: "dan@example.com" })])
          : pageOf([sampleInvite()], "second"),
      ),
  });
  await user.click(await screen.findByRole("button", { name: /more/i }));
  await rowOf("dan@example.com");
  await rowOf("cleo@example.com");
  expect(screen.queryByRole("button", { name: /more/i })).toBeNull();
});

test("invites that fail to load can be retried", async () => {
  const { user, server } = renderPage(<InviteTable onOpen={vi.fn()}>{null}</InviteTable>, {
    prepare: (fake) => fake.refuse("list_invites", { code: "INTERNAL_ERROR", message: "It did not work." }),
  });
  await screen.findByText("It did not work.");
  server.answer("list_invites", pageOf([sampleInvite()]));
  await user.click(screen.getByRole("button", { name: /try again/i }));
  await rowOf("cleo@example.com");
});

test("the content below the table waits until the table's height is known", async () => {
  const { server } = renderInvites([]);
  expect(screen.queryByText("Below the table")).toBeNull();
  await screen.findByText("Below the table");
  await eventually(() => expect(server.sent("list_invites")).toHaveLength(1));
});
