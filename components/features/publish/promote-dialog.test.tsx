import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { PublishPreview } from "#lib/contract/action/publish";
import { eventually } from "#lib/support/eventually.fixture";
import { PromoteDialog } from "@/components/features/publish/promote-dialog";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";

const PREVIEW: PublishPreview = {
  source: 1,
  draft_revision: 7,
  type: "callable",
  problems: [],
  warnings: [],
  deployed_version: 2,
  next_version: 3,
  action: { slug: "refund", status: "active", approval_policy: "never" },
  input_before: { type: "object", properties: {}, required: [] },
  input_after: { type: "object", properties: {}, required: [] },
  output_after: null,
  changes: [],
  output_changes: [],
  graph: null,
  report: null,
};
const BREAKING: PublishPreview["changes"] = [{ kind: "removed", field: "id", breaking: true, message: "id is gone" }];

const WORKFLOW_ID = "66666666-6666-4666-8666-666666666666";

function renderPromote(preview: PublishPreview) {
  return renderPage(<PromoteDialog workflowId={WORKFLOW_ID} version={1} onClose={vi.fn()} />, {
    prepare: (server) => server.answer("preview_publish", preview),
  });
}
test("a version is published again with its note and policy, and a stale preview is refetched", async () => {
  const { user, server } = renderPromote(PREVIEW);
  server.refuse("deploy_workflow", { code: "REVISION_CONFLICT", message: "The draft changed." });
  const note = await screen.findByRole("textbox", { name: "Note" });
  await user.clear(note);
  await user.type(note, "Back to the first");
  const always = screen.getAllByRole<HTMLInputElement>("radio").find(({ checked }) => !checked);
  if (always !== undefined) await user.click(always);
  await expectAccessible();
  await user.click(screen.getByRole("button", { name: "Publish version 1 again" }));
  await eventually(() => expect(server.sent("preview_publish")).toHaveLength(2));
  expect((await screen.findByRole("alert")).textContent).toBe("The draft changed.");
  expect(server.sent("deploy_workflow")).toEqual([
    { workflow_id: WORKFLOW_ID, version: 1, approval_policy: "always", note: "Back to the first" },
  ]);
});

test("a change that breaks callers must be acknowledged first, even when Enter is pressed", async () => {
  const { user, server } = renderPromote({ ...PREVIEW, changes: BREAKING });
  server.refuse("deploy_workflow", { code: "FORBIDDEN", message: "You need the editor role." });
  await user.type(await screen.findByRole("textbox", { name: "Note" }), "{Enter}");
  expect(screen.getByRole("button", { name: "Publish version 1 again" })).toHaveProperty("disabled", true);
  expect(server.sent("deploy_workflow")).toEqual([]);
  await user.click(screen.getByRole("checkbox", { name: "Publish and break callers" }));
  await user.click(screen.getByRole("button", { name: "Publish version 1 again" }));
  await screen.findByText("You need the editor role.");
  expect(server.sent("deploy_workflow")).toMatchObject([{ allow_breaking: true, approval_policy: "never" }]);
});
