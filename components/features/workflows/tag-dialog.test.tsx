import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { eventually } from "#lib/support/eventually.fixture";
import { TagDialog } from "@/components/features/workflows/tag-dialog";
import { describedBy, renderPage } from "@/components/testing/render-page.fixture";
import { WORKFLOW } from "@/components/testing/sample-objects.fixture";

test("tags are added and removed in one request, and an invalid tag is named", async () => {
  const onClose = vi.fn();
  const { user, server } = renderPage(<TagDialog workflows={[WORKFLOW]} onClose={onClose} />, {
    prepare: (fake) => {
      fake.answer("list_tags", { data: [] });
      fake.answer("tag_workflows", { changed: 1 });
    },
  });
  const add = screen.getByRole("combobox", { name: "Add" });
  await user.click(screen.getByRole("button", { name: /^billing/ }));
  await user.type(add, "urgent, !");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await eventually(() => expect(describedBy(add)).toContain("“!” can't be a tag"));
  await user.type(add, "{Backspace}shop");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await eventually(() => expect(onClose).toHaveBeenCalled());
  expect(server.sent("tag_workflows")).toEqual([
    { workflow_ids: [WORKFLOW.workflow_id], add: ["urgent", "shop"], remove: ["billing"] },
  ]);
});
