import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { RunObject } from "#lib/contract/run/run";
import { eventually } from "#lib/support/eventually.fixture";
import { ReplayDialog } from "@/components/features/runs/replay/replay-dialog";
import { describedBy, expectFocus, renderPage } from "@/components/testing/render-page.fixture";
import { RUN } from "@/components/testing/sample-objects.fixture";

function renderReplay(run: RunObject) {
  return renderPage(<ReplayDialog run={run} mode="from_start" stepId={null} version="same" onClose={vi.fn()} />, {
    prepare: (server) => server.refuse("get_run_graph", { code: "RUN_NOT_FOUND", message: "The run is gone." }),
  });
}

test("an edited input must be JSON, and an unedited input is not sent", async () => {
  const { user, server, router } = renderReplay(RUN);
  server.answer("replay_run", { ...RUN, run_id: "88888888-8888-4888-8888-888888888888" });
  await user.click(screen.getByRole("checkbox", { name: "Edit input" }));
  const input = await screen.findByRole("textbox", { name: "Input" });
  await user.clear(input);
  await user.click(screen.getByRole("button", { name: "Replay" }));
  await eventually(() => expect(describedBy(input)).toContain("Enter a JSON object"));
  await expectFocus(input);
  expect(server.sent("replay_run")).toEqual([]);
  await user.click(screen.getByRole("checkbox", { name: "Edit input" }));
  await user.click(screen.getByRole("button", { name: "Replay" }));
  await eventually(() => expect(router.push).toHaveBeenCalledWith("/runs/88888888-8888-4888-8888-888888888888"));
  expect(server.sent("replay_run")).toEqual([{ run_id: RUN.run_id, mode: "from_start" }]);
});

test("a refused input is explained below the form, field by field", async () => {
  const { user, server } = renderReplay(RUN);
  server.refuse("replay_run", {
    code: "INPUT_VALIDATION_FAILED",
    message: "The input does not fit.",
    details: [{ field: "mode", pointer: "/mode", code: "type", message: "must be a number" }],
  });
  await user.click(screen.getByRole("button", { name: "Replay" }));
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toBe("The input does not fit.mode must be a number");
});
