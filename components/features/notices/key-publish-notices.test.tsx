import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { AuditEventObject } from "#lib/contract/workspace/workspace";
import { eventually } from "#lib/support/eventually.fixture";
import { KeyPublishNotices } from "@/components/features/notices/key-publish-notices";
import { idOf, pageOf, secondsAgo } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";

const EVENT: AuditEventObject = {
  event_id: idOf(1),
  at: secondsAgo(60),
  actor: { type: "api_key", id: idOf(2), name: "Support bot" },
  action: "action.breaking_change",
  object_type: "workflow",
  object_id: idOf(3),
  details: { name: "Refund", action_slug: "refund", version: 4, fields: ["order", "reason"] },
};
const REMOVED: AuditEventObject = {
  ...EVENT,
  event_id: idOf(4),
  action: "action.approval_removed",
  details: { name: "Refund", action_slug: "refund", version: 4, steps: ["Check the refund"], unguarded_steps: ["Pay"] },
};

const render = (events: AuditEventObject[], role: "admin" | "editor" = "admin") =>
  renderPage(<KeyPublishNotices />, {
    session: { role },
    prepare: (server) => server.answer("list_audit_events", pageOf(events)),
  });

test("admins see which key broke callers and which approval steps it removed, with a way to compare", async () => {
  render([EVENT, REMOVED]);
  await screen.findByText(
    /The API key Support bot published version 4 of refund, which breaks callers\. Changed fields: order, reason\./,
  );
  screen.getByText(
    /has weaker approvals\. Removed approval steps: Check the refund\. Steps that no longer wait for an approval: Pay\./,
  );
  const [link] = screen.getAllByRole("link", { name: "Compare versions" });
  expect(link?.getAttribute("href")).toBe(`/workflows/${idOf(3)}/versions`);
  await expectAccessible();
});

test("a dismissed notice stays away, and the others stay", async () => {
  const { user } = render([EVENT, REMOVED]);
  const [first] = await screen.findAllByRole("status");
  if (!first) return expect.fail();
  await user.click(within(first).getByRole("button", { name: "Dismiss" }));
  expect(screen.queryByText(/breaks callers/)).toBeNull();
  screen.getByText(/weaker approvals/);
  render([EVENT, REMOVED]);
  expect(screen.queryByText(/breaks callers/)).toBeNull();
});

test("other changes of actions and notices of more than a week ago are not shown", async () => {
  const { server } = render([
    { ...EVENT, action: "action.paused" },
    { ...EVENT, at: secondsAgo(8 * 86_400) },
  ]);
  await eventually(() => expect(server.sent("list_audit_events")).toHaveLength(1));
  expect(screen.queryByRole("status")).toBeNull();
});

test("members below admin see none, and ask for none", () => {
  const { server } = render([EVENT], "editor");
  expect(screen.queryByRole("status")).toBeNull();
  expect(server.sent("list_audit_events")).toEqual([]);
});
