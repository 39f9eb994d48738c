import { screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { PublishPreview } from "#lib/contract/action/publish";
import type { DeployResult, WorkflowDetailObject } from "#lib/contract/workflow/workflow";
import { eventually } from "#lib/support/eventually.fixture";
import { testNode } from "@/components/canvas/document/test-definition";
import type { DraftSession } from "@/components/canvas/store/open-draft";
import { renderCanvas } from "@/components/canvas/store/render-canvas.fixture";
import { PublishDialog } from "@/components/features/publish/publish-dialog";
import type { FakeServer } from "@/components/testing/fake-server.fixture";
import { idOf } from "@/components/testing/page.fixture";
import { describedBy, expectAccessible } from "@/components/testing/render-page.fixture";
import { sampleTrigger } from "@/components/testing/trigger.fixture";

const NODES = [
  testNode("start", "action_input", 0, 0, { properties: [] }),
  testNode("wait", "delay", 0, 200, { name: "Wait", seconds: 5 }),
];
const WORKFLOW_ID = idOf(1);
const EMPTY = { type: "object" as const, properties: {}, required: [] };
const ORDER = { ...EMPTY, properties: { order: { type: "string" as const } }, required: ["order"] };
const PREVIEW: PublishPreview = {
  source: "draft",
  draft_revision: 1,
  type: "callable",
  problems: [],
  warnings: [],
  deployed_version: 2,
  next_version: 3,
  action: { slug: "refund", status: "active", approval_policy: "never" },
  input_before: EMPTY,
  input_after: ORDER,
  output_after: null,
  changes: [],
  output_changes: [],
  graph: { added: [], removed: [], changed: [], lines_added: 0, lines_removed: 0 },
  report: null,
};
const RESULT: DeployResult = {
  workflow_id: WORKFLOW_ID,
  version: 3,
  status: "deployed",
  action: { slug: "refund", status: "active", approval_policy: "never", release_version: 3 },
  breaking_changes: [],
  warnings: [],
};

type Prepare = (server: FakeServer) => void;
type Before = (session: DraftSession) => void;

function renderDialog(changes: Partial<PublishPreview> = {}, prepare?: Prepare, before?: Before) {
  const onClose = vi.fn();
  const page = renderCanvas((controls) => <PublishDialog controls={controls} onClose={onClose} />, {
    nodes: NODES,
    before: (session) => {
      const { facts } = session.draft.getState();
      session.draft.setState({ facts: { ...facts, workflow_id: WORKFLOW_ID } });
      before?.(session);
    },
    prepare: (server) => {
      server.answer("preview_publish", { ...PREVIEW, ...changes });
      server.answer("deploy_workflow", RESULT);
      const live = { workflow_id: WORKFLOW_ID, deployed_version: 3, action: PREVIEW.action, trigger: null };
      server.answer("get_workflow", live as Partial<WorkflowDetailObject> as WorkflowDetailObject);
      prepare?.(server);
    },
  });
  return { ...page, onClose };
}
const publish = () => screen.findByRole("button", { name: /^(Publish Action|Activate)$/ });
const note = () => screen.findByRole("textbox", { name: /^Note/ });

/** Publishes what the dialog shows and waits until it is live. */
async function publishNow({ user }: ReturnType<typeof renderDialog>) {
  await note();
  await user.click(await publish());
  return within(await screen.findByRole("dialog", { name: /is live/ }));
}

test("the draft is published at the revision that was shown, with its note and its approval policy", async () => {
  const page = renderDialog();
  await page.user.type(await note(), "  Waits longer ");
  const approval = within(screen.getByRole("group", { name: /Approval/ }));
  await page.user.click(approval.getByRole("radio", { checked: false }));
  await expectAccessible();
  await publishNow(page);
  expect(page.server.sent("deploy_workflow")).toEqual([
    { workflow_id: WORKFLOW_ID, expected_revision: 1, approval_policy: "always", note: "Waits longer" },
  ]);
});

test("the dialog names the version that is replaced, and shows changed steps with both values", async () => {
  renderDialog({
    graph: {
      added: [{ node_id: "ask", type: "approval", name: "Ask a person" }],
      removed: [{ node_id: "old", type: "transform", name: "Old total" }],
      changed: [{ node_id: "wait", type: "delay", name: "Wait", fields: [{ field: "seconds", was: 5, now: 60 }] }],
      lines_added: 1,
      lines_removed: 0,
    },
  });
  const changes = within(await screen.findByRole("region", { name: /Step/ }));
  const rows = changes.getAllByRole("listitem").map((row) => row.textContent);
  expect(rows.find((row) => row?.includes("Ask a person"))).toMatch(/Added/);
  expect(rows.find((row) => row?.includes("Old total"))).toMatch(/Removed/);
  expect(rows.find((row) => row?.includes("Wait"))).toMatch(/seconds.*5.*60/);
  expect(screen.getByRole("dialog").textContent).toMatch(/Version 3 replaces version 2/);
});

test("a renamed field can keep its old name: the draft gets the alias, is saved, and is checked again", async () => {
  const start = testNode("start", "action_input", 0, 0, {
    properties: [{ name: "order", type: "string", required: true }],
  });
  const renamed = { kind: "renamed", field: "order_id", new_field: "order" } as const;
  const { user, server, session } = renderDialog(
    { changes: [{ ...renamed, breaking: true, message: "order_id is now called order" }] },
    undefined,
    ({ editor }) => editor.getState().edit({ nodes: [start, ...NODES.slice(1)], edges: [] }),
  );
  const keep = await screen.findByRole("button", { name: "Keep the old name as an alias" });
  server.answer("preview_publish", {
    ...PREVIEW,
    changes: [{ ...renamed, breaking: false, message: "order_id still works" }],
  });
  await user.click(keep);
  await screen.findByText("order_id still works");
  const [saved] = session.editor.getState().definition.nodes;
  expect(saved?.data.properties).toEqual([{ name: "order", type: "string", required: true, aliases: ["order_id"] }]);
  expect(await publish()).toHaveProperty("disabled", false);
  await expectAccessible();
  await user.click(screen.getByRole("button", { name: "Stop accepting the old name" }));
  await eventually(() => {
    expect(session.editor.getState().definition.nodes[0]?.data).toEqual(start.data);
  });
});

test("output changes are listed without asking for an acknowledgement", async () => {
  renderDialog({ output_changes: [{ field: "total", kind: "type_changed", was: "string", now: "number" }] });
  const callers = within(await screen.findByRole("region", { name: /callers/ }));
  expect(callers.getByRole("listitem").textContent).toMatch(/total.*string.*number/);
  expect(await publish()).toHaveProperty("disabled", false);
});

test("a breaking change is published only after it is acknowledged, and the acknowledgement is sent", async () => {
  const page = renderDialog({
    changes: [{ kind: "added_required", field: "order", breaking: true, message: "order is required now" }],
  });
  within(await screen.findByRole("table", { name: /Input/ })).getByText("order is required now");
  expect(await publish()).toHaveProperty("disabled", true);
  const confirm = screen.getByRole("checkbox", { name: /break callers/ });
  await page.user.click(confirm);
  await page.user.click(confirm);
  expect(await publish()).toHaveProperty("disabled", true);
  await page.user.click(confirm);
  await publishNow(page);
  expect(page.server.sent("deploy_workflow")).toMatchObject([{ allow_breaking: true }]);
});

test("a change that breaks no one is sent without an acknowledgement", async () => {
  const page = renderDialog({
    changes: [{ kind: "added_optional", field: "order", breaking: false, message: "order is new" }],
  });
  await publishNow(page);
  expect(page.server.sent("deploy_workflow")[0]).not.toHaveProperty("allow_breaking");
});

test("a problem in the dialog links to the field of its step", async () => {
  const { user, onClose, editor, server } = renderDialog({
    problems: [
      { severity: "error", code: "INVALID_DATA", node_id: "wait", field: "seconds", message: "Wait has no duration." },
    ],
  });
  const checks = within(await screen.findByRole("region", { name: /Checks/ }));
  expect(await publish()).toHaveProperty("disabled", true);
  await user.click(checks.getByRole("button", { name: /duration/ }));
  expect(onClose).toHaveBeenCalledOnce();
  await eventually(() => expect(editor.getState().selectedNodeIds).toEqual(["wait"]));
  expect(editor.getState().isPanelOpen).toBe(true);
  expect(server.sent("deploy_workflow")).toEqual([]);
});

test("a draft that changed meanwhile is refused with the reason, and the dialog shows the current preview", async () => {
  const page = renderDialog({}, (server) =>
    server.refuse("deploy_workflow", { code: "REVISION_CONFLICT", message: "The draft changed." }),
  );
  await page.user.type(await note(), "Mine");
  page.server.answer("preview_publish", { ...PREVIEW, draft_revision: 2 });
  await page.user.click(await publish());
  expect((await screen.findByRole("alert")).textContent).toBe("The draft changed.");
  await eventually(() => expect(page.server.sent("preview_publish")).toHaveLength(2));
  expect(await note()).toHaveProperty("value", "Mine");
  page.server.answer("deploy_workflow", RESULT);
  await publishNow(page);
  expect(page.server.sent("deploy_workflow").at(-1)).toMatchObject({ expected_revision: 2, note: "Mine" });
});

test("problems that only the server found are listed after its refusal", async () => {
  const page = renderDialog({}, (server) =>
    server.refuse("deploy_workflow", { code: "PUBLISH_VALIDATION_FAILED", message: "There is a problem." }),
  );
  await note();
  const problems = [
    {
      severity: "error" as const,
      code: "ACTION_NOT_ACTIVE" as const,
      node_id: "wait",
      message: "Wait calls an action that is archived.",
    },
  ];
  page.server.answer("preview_publish", { ...PREVIEW, problems });
  await page.user.click(await publish());
  await screen.findByText("There is a problem.");
  await screen.findByRole("button", { name: /action that is archived/ });
  expect(await publish()).toHaveProperty("disabled", true);
});

test("a refusal of one field is shown at that field", async () => {
  const page = renderDialog({}, (server) => {
    const details = [{ field: "note", pointer: "/note", code: "custom", message: "is too long" }];
    server.refuse("deploy_workflow", { code: "BAD_REQUEST", message: "note: is too long", details });
  });
  await page.user.type(await note(), "x");
  await page.user.click(await publish());
  await eventually(async () => expect(describedBy(await note())).toMatch(/too long/));
});

test("an unsaved draft is not published: the dialog says so and offers a retry", async () => {
  const { user, server } = renderDialog({}, undefined, (session) => {
    vi.spyOn(session, "saveNow").mockResolvedValueOnce(false);
  });
  await screen.findByText(/isn't saved/);
  expect(server.sent("preview_publish")).toEqual([]);
  await user.click(screen.getByRole("button", { name: /Try again/ }));
  await note();
  expect(await publish()).toHaveProperty("disabled", false);
});

test("a published action can be called at once: the command contains its URL and its input", async () => {
  const live = await publishNow(renderDialog());
  const code = live.getByRole("figure", { name: /Call the action/ }).textContent ?? "";
  expect(code).toContain("https://signalbox.example/api/v1/runtime/actions/refund/run");
  expect(code).toContain("order");
  expect(live.getByRole("link", { name: /Create an API key/ }).getAttribute("href")).toBe(
    "/keys?new=true&action=refund",
  );
  expect(live.getByRole("link", { name: /View action/ }).getAttribute("href")).toBe("/actions/refund");
  await expectAccessible();
});

test.each([
  ["paused", "never", /409/],
  ["active", "always", /approval/],
] as const)("an action with status %s and approval policy %s shows what callers get", async (status, policy, words) => {
  const action = { slug: "refund", status, approval_policy: policy, release_version: 3 };
  await publishNow(renderDialog({}, (server) => server.answer("deploy_workflow", { ...RESULT, action })));
  expect(screen.getByRole("dialog").textContent).toMatch(words);
});

test("a workflow with a webhook shows its URL and how to call it", async () => {
  const page = renderDialog({ type: "event_driven", action: null }, (server) => {
    server.answer("deploy_workflow", { ...RESULT, action: null });
    server.answer("get_trigger", { trigger: sampleTrigger() });
  });
  const live = await publishNow(page);
  await live.findByText("https://signalbox.example/hooks/abc");
  await page.user.click(live.getByRole("button", { name: "Show sample request" }));
  expect(live.getByRole("figure", { name: /Sample/ }).textContent).toContain("hooks/abc");
});

test("a publish can be undone, which publishes the previous version again", async () => {
  const page = renderDialog();
  const live = await publishNow(page);
  await page.user.click(live.getByRole("button", { name: /Undo/ }));
  await screen.findByRole("dialog", { name: /version 2 again/ });
  expect(await note()).toHaveProperty("value", expect.stringContaining("version 3"));
  await eventually(() => expect(page.server.sent("preview_publish").at(-1)).toMatchObject({ version: 2 }));
});

test("the first publish cannot be undone", async () => {
  const page = renderDialog({ deployed_version: null, next_version: 1, input_before: null, graph: null }, (server) =>
    server.answer("deploy_workflow", { ...RESULT, version: 1 }),
  );
  const live = await publishNow(page);
  expect(live.queryByRole("button", { name: /Undo/ })).toBeNull();
  await page.user.click(live.getByRole("button", { name: /Back to/ }));
  expect(page.onClose).toHaveBeenCalledOnce();
});

test("publishing refetches the data that the editor shows about the workflow", async () => {
  const page = renderDialog();
  await publishNow(page);
  await eventually(() => expect(page.session.draft.getState().facts.deployed_version).toBe(3));
});
