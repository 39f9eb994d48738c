import { screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { ReplayPreviewObject } from "#lib/contract/wire/web";
import { eventually } from "#lib/support/eventually.fixture";
import { correctInput, listMisfits } from "@/components/features/runs/replay/corrected-input";
import { ReplayDialog } from "@/components/features/runs/replay/replay-dialog";
import { idOf } from "@/components/testing/page.fixture";
import { renderPage } from "@/components/testing/render-page.fixture";
import { executedGraph, FAILED_RUN, sampleRun } from "@/components/testing/run.fixture";

const RUN = { ...FAILED_RUN, workflow_version_id: idOf(3) };
const GRAPH = executedGraph();
const PREVIEW: ReplayPreviewObject = {
  version: 9,
  is_same: false,
  definition: GRAPH.definition,
  changed_steps: [],
  input_problems: [],
};

function renderReplay(preview: Partial<ReplayPreviewObject>) {
  return renderPage(<ReplayDialog run={RUN} mode="resume" stepId={null} version="same" onClose={vi.fn()} />, {
    prepare: (server) => {
      server.answer("get_run_graph", GRAPH);
      server.answer("preview_replay", { ...PREVIEW, ...preview });
    },
  });
}

const versionField = () => screen.findByRole<HTMLSelectElement>("combobox", { name: "Version" });

test("the published version can be chosen, and the plan says what is not reused on it", async () => {
  const { user, server, router } = renderReplay({ changed_steps: ["charge", "gone"] });
  const plan = screen.getByRole("region", { name: "What this replay does" });
  const field = await versionField();
  expect(field.value).toBe("same");
  await eventually(() => expect(plan.textContent).toContain("Reuses 1 stepCharge"));
  await user.selectOptions(field, "latest");
  expect(plan.textContent).toContain("No steps are reused.");
  screen.getByText(/^Starts a new run on version 9,/);
  server.answer("replay_run", sampleRun({ run_id: idOf(9) }));
  await user.click(screen.getByRole("button", { name: "Replay" }));
  await eventually(() => expect(router.push).toHaveBeenCalledWith(`/runs/${idOf(9)}`));
  expect(server.sent("replay_run")).toEqual([{ run_id: RUN.run_id, mode: "resume", version: "latest" }]);
});

test("there is no choice if the run executed the published version", async () => {
  const { server } = renderReplay({ is_same: true });
  await eventually(() => expect(server.sent("preview_replay")).toHaveLength(1));
  expect(screen.queryByRole("combobox", { name: "Version" })).toBeNull();
});

test("fields that no longer fit are shown with their old value, and a correction is sent with the rest", async () => {
  const [field = ""] = Object.keys(RUN.input);
  const { user, server } = renderReplay({
    input_problems: [
      { field: "region", message: "region is required", type: "string" },
      { field, message: `${field} must be an object`, type: "object" },
    ],
  });
  await user.selectOptions(await versionField(), "latest");
  const corrections = within(screen.getByRole("region", { name: "Corrections to the input" }));
  corrections.getByText("region is required.");
  corrections.getByText(
    (_, element) =>
      element?.tagName === "SPAN" &&
      element.textContent === `Was ${JSON.stringify(RUN.input[field])}. ${field} must be an object.`,
  );
  await user.type(corrections.getByRole("textbox", { name: "region" }), "12");
  server.answer("replay_run", sampleRun({ run_id: idOf(9) }));
  await user.click(screen.getByRole("button", { name: "Replay" }));
  await eventually(() => expect(server.sent("replay_run")).toHaveLength(1));
  expect(server.sent("replay_run")[0]).toMatchObject({
    version: "latest",
    mode: "resume",
    input: { ...RUN.input, region: "12" },
  });
});

test("a corrected text is sent as text, and other types are read as JSON", () => {
  const problem = (field: string, type: string) => ({ field, message: "is wrong", type });
  const problems = [problem("a", "string"), problem("b", "integer"), problem("c", "array"), problem("d", "integer")];
  const misfits = listMisfits(problems, { a: 1, kept: true });
  const typed = { a: "7", b: "7", c: "[1]", d: "many" };
  expect(correctInput({ a: 1, kept: true }, misfits, typed)).toEqual({ a: "7", b: 7, c: [1], d: "many", kept: true });
  expect(correctInput({ a: 1 }, misfits, {})).toEqual({ a: 1 });
});
