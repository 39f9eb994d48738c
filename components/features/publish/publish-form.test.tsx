import { screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { AffectedCaller, PublishPreview } from "#lib/contract/action/publish";
import { eventually } from "#lib/support/eventually.fixture";
import { PromoteDialog } from "@/components/features/publish/promote-dialog";
import { holdTime } from "@/components/testing/hold-time.fixture";
import { idOf, secondsAgo } from "@/components/testing/page.fixture";
import { describedBy, expectAccessible, renderPage } from "@/components/testing/render-page.fixture";

/** How long after the last keystroke a slug is checked. */
const SLUG_CHECK_MS = 300;
const EMPTY = { type: "object" as const, properties: {}, required: [] };
const PREVIEW: PublishPreview = {
  source: 1,
  draft_revision: 7,
  type: "callable",
  problems: [],
  warnings: [],
  deployed_version: 2,
  next_version: 3,
  action: { slug: "refund", status: "active", approval_policy: "never" },
  input_before: EMPTY,
  input_after: EMPTY,
  output_after: null,
  changes: [],
  output_changes: [],
  graph: null,
  report: null,
};
const BOT: AffectedCaller = {
  kind: "key",
  id: idOf(4),
  name: "Support bot",
  prefix: "svc_abcd",
  calls: 12,
  has_more: false,
  last_call_at: secondsAgo(60),
  sampled: 10,
  refused: 5,
  ignored: 0,
  fields: [{ field: "reason", effect: "refused", calls: 5, message: "reason is required", run_id: idOf(9) }],
};
const BREAKING: Partial<PublishPreview> = {
  changes: [{ kind: "removed", field: "id", breaking: true, message: "id is gone" }],
  input_before: { ...EMPTY, properties: { id: { type: "string" } } },
  report: {
    days: 30,
    sampled_per_caller: 10,
    callers: [BOT, { ...BOT, id: idOf(5), name: "Web", refused: 0, fields: [] }],
  },
};

function renderForm(changes: Partial<PublishPreview> = {}) {
  return renderPage(<PromoteDialog workflowId={idOf(1)} version={1} onClose={vi.fn()} />, {
    prepare: (server) => {
      server.answer("preview_publish", { ...PREVIEW, ...changes });
      server.refuse("deploy_workflow", { code: "FORBIDDEN", message: "You need the editor role." });
    },
  });
}

const publish = () => screen.findByRole("button", { name: "Publish version 1 again" });
const note = () => screen.findByRole("textbox", { name: "Note" });

test("known callers that break are listed with the share of refused calls and the newest such run", async () => {
  renderForm(BREAKING);
  const report = within(await screen.findByRole("region", { name: "Affected callers" }));
  report.getByText(/^1 of the 2 callers in the last 30 days breaks\./);
  report.getByText("50% of calls refused");
  report.getByText("Not affected");
  expect(report.getByRole("link", { name: /^the newest/ }).getAttribute("href")).toBe(`/runs/${idOf(9)}`);
  await expectAccessible();
});

test("known callers that break are acknowledged by typing the action's slug", async () => {
  const { user, server } = renderForm(BREAKING);
  const word = await screen.findByRole("textbox", { name: "Type refund to publish and break callers" });
  screen.getByText("Type refund above to confirm that callers break.");
  await user.type(word, "refun");
  expect(await publish()).toHaveProperty("disabled", true);
  await user.type(word, "d");
  await user.click(await publish());
  await screen.findByText("You need the editor role.");
  expect(server.sent("deploy_workflow")).toMatchObject([{ allow_breaking: true, version: 1 }]);
});

test("a changed input field is shown with its type before and after", async () => {
  renderForm(BREAKING);
  const table = within(await screen.findByRole("table", { name: "Input changes" }));
  table.getByText("Breaking");
  table.getByText("id is gone");
  expect(table.getAllByText("string, optional").length).toBeGreaterThan(0);
});

test("a safe change needs no acknowledgment", async () => {
  renderForm({
    changes: [{ kind: "added_optional", field: "note", breaking: false, message: "note is new" }],
    input_after: { ...EMPTY, properties: { note: { type: "string" } } },
  });
  await screen.findByText("Safe");
  expect(await publish()).toHaveProperty("disabled", false);
  expect(screen.queryByRole("checkbox")).toBeNull();
});

test("a workflow problem is listed and blocks publishing", async () => {
  const { user, server } = renderForm({
    problems: [{ severity: "error", code: "INVALID_DATA", message: "The step Send has no address." }],
  });
  const checks = within(await screen.findByRole("region", { name: "Checks" }));
  checks.getByText("The step Send has no address.");
  screen.getByText("Fix the problems above first.");
  await user.type(await note(), "{Enter}");
  expect(await publish()).toHaveProperty("disabled", true);
  expect(server.sent("deploy_workflow")).toEqual([]);
});

test("a workflow without problems says so, and its slug is fixed", async () => {
  renderForm();
  await screen.findByText("No problems found.");
  expect(screen.getByRole("textbox", { name: "Slug" })).toHaveProperty("readOnly", true);
});

test("the first publish needs a slug that is well-formed and free", async () => {
  const skip = holdTime();
  const { user, server } = renderForm({ action: null, input_before: null });
  server.answer("check_slug", ({ slug }) => ({
    available: slug !== "taken",
    message: slug === "taken" ? "Another workflow has it." : null,
  }));
  const slug = await screen.findByRole("textbox", { name: /^Slug/ });
  screen.getByText("Choose a slug for the action.");
  expect(slug).toHaveProperty("value", "");
  await user.type(slug, "Not A Slug");
  expect(describedBy(slug)).toContain("Use lowercase letters, digits and hyphens");
  expect(server.sent("check_slug")).toEqual([]);
  await user.clear(slug);
  await user.type(slug, "taken");
  await skip(SLUG_CHECK_MS);
  await eventually(() => expect(describedBy(slug)).toContain("Another workflow has it."));
  expect(await publish()).toHaveProperty("disabled", true);
  await user.clear(slug);
  await user.type(slug, "free");
  await skip(SLUG_CHECK_MS);
  await eventually(async () => expect(await publish()).toHaveProperty("disabled", false));
  expect(describedBy(slug)).toContain("https://signalbox.example/api/v1/runtime/actions/free/run");
  await user.click(await publish());
  await eventually(() => expect(server.sent("deploy_workflow")).toMatchObject([{ slug: "free" }]));
});

test("a workflow that starts on a trigger has neither a slug nor an approval policy", async () => {
  renderForm({ type: "event_driven", action: null, input_before: null });
  await note();
  expect(screen.queryByRole("textbox", { name: /^Slug/ })).toBeNull();
  expect(screen.queryByRole("group", { name: "Approval" })).toBeNull();
  expect(await publish()).toHaveProperty("disabled", false);
});

test("a preview that fails to load offers a retry", async () => {
  const { user, server } = renderPage(<PromoteDialog workflowId={idOf(1)} version={1} onClose={vi.fn()} />, {
    prepare: (fake) => fake.refuse("preview_publish", { code: "INTERNAL_ERROR", message: "It did not work." }),
  });
  const retry = await screen.findByRole("button", { name: "Try again" });
  server.answer("preview_publish", PREVIEW);
  await user.click(retry);
  await note();
});
