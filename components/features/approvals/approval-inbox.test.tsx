import { screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { ApprovalRequestObject } from "#lib/contract/approval/approval";
import { eventually } from "#lib/support/eventually.fixture";
import { ApprovalInbox } from "@/components/features/approvals/approval-inbox";
import { approvalDetail, approvalRequest } from "@/components/testing/approval.fixture";
import { idOf, pageOf, secondsAgo } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";
import { sampleRun } from "@/components/testing/run.fixture";

const SECOND = approvalRequest({ id: idOf(2), workflow_name: "Orders", message: null });

function renderInbox(requests: ApprovalRequestObject[], address = "/approvals") {
  return renderPage(<ApprovalInbox />, {
    address,
    prepare: (server) => {
      server.answer("list_approvals", pageOf(requests));
      server.answer("count_approvals", { pending: requests.length });
      server.answer("get_approval", ({ approval_id: id }) => {
        const found = requests.find((request) => request.id === id);
        return approvalDetail({ ...found, id });
      });
    },
  });
}

const request = async () => within(await screen.findByRole("region", { name: "Request" }));

test("the inbox shows who requests what and until when, and opens the first request", async () => {
  renderInbox([approvalRequest(), SECOND]);
  const rows = within(await screen.findByRole("list", { name: "Requests" })).getAllByRole("link");
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringMatching(/^Refunds.*Refund 500 EUR\?Support bot \(svc_abcd…\)expires in 49 min$/),
    expect.stringMatching(/^Orders.*Support bot \(svc_abcd…\)expires in 49 min$/),
  ]);
  expect(rows[0]?.getAttribute("aria-current")).toBe("true");
  screen.getByRole("tab", { name: "Pending (2)", selected: true });
  await (await request()).findByRole("heading", { name: "Refunds" });
  await expectAccessible();
});

test("J and K move through the requests, and the URL names the one that is shown", async () => {
  const { user } = renderInbox([approvalRequest(), SECOND]);
  await (await request()).findByRole("heading", { name: "Refunds" });
  await user.keyboard("j");
  await (await request()).findByRole("heading", { name: "Orders" });
  expect(window.location.search).toBe(`?approval=${idOf(2)}`);
  await user.keyboard("k");
  await (await request()).findByRole("heading", { name: "Refunds" });
});

test("on a wide screen a click shows the request next to the list", async () => {
  const { user } = renderInbox([approvalRequest(), SECOND]);
  vi.stubGlobal("matchMedia", () => ({ matches: true, addEventListener: vi.fn(), removeEventListener: vi.fn() }));
  await user.click(await screen.findByRole("link", { name: /^Orders/ }));
  await eventually(() => expect(window.location.search).toBe(`?approval=${idOf(2)}`));
});

test("each row is a link to the request's own page", async () => {
  renderInbox([approvalRequest()]);
  const row = await screen.findByRole("link", { name: /^Refunds/ });
  expect(row.getAttribute("href")).toBe(`/approvals/${idOf(1)}`);
});

test("decided requests name who decided, and offer no decision", async () => {
  const decided = approvalRequest({
    status: "approved",
    decided_at: secondsAgo(30),
    decided_by: { type: "user", id: idOf(9), name: "Bob" },
    comment: "Fine by me.",
  });
  const { user, server } = renderInbox([decided]);
  await user.click(await screen.findByRole("tab", { name: "Decided" }));
  expect(server.sent("list_approvals").at(-1)).toMatchObject({ view: "decided" });
  const shown = await request();
  await shown.findByText("Approved by Bob");
  shown.getByText("Fine by me.");
  expect(shown.queryByRole("button", { name: "Approve" })).toBeNull();
});

test.each([
  ["pending", "No pending requests"],
  ["decided", "No decided requests"],
  ["expired", "No expired requests"],
])("the empty inbox view %s says what is missing", async (view, words) => {
  renderInbox([], `/approvals?view=${view}`);
  await screen.findByRole("heading", { name: words });
});

test("a refused decision stays at the request and says why", async () => {
  const { user, server } = renderInbox([approvalRequest(), SECOND]);
  server.refuse("approve_run", { code: "FORBIDDEN", message: "You need the approver role." });
  const shown = await request();
  await user.click(await shown.findByRole("button", { name: /^Approve/ }));
  await shown.findByText("You need the approver role.");
  shown.getByRole("heading", { name: "Refunds" });
});

test("a decision moves on to the next request", async () => {
  const { user, server } = renderInbox([approvalRequest(), SECOND]);
  server.answer("approve_run", sampleRun({ status: "running" }));
  await user.click(await (await request()).findByRole("button", { name: /^Approve/ }));
  await (await request()).findByRole("heading", { name: "Orders" });
  expect(window.location.search).toBe(`?approval=${idOf(2)}`);
});

test("an inbox that fails to load offers a retry", async () => {
  const { user, server } = renderPage(<ApprovalInbox />, {
    prepare: (fake) => {
      fake.refuse("list_approvals", { code: "INTERNAL_ERROR", message: "It did not work." });
      fake.answer("count_approvals", { pending: 0 });
    },
  });
  await screen.findByText("Couldn't load the approvals.");
  server.answer("list_approvals", pageOf<ApprovalRequestObject>([]));
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByText("No pending requests");
});
