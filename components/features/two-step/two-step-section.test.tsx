import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { TwoStepSection } from "@/components/features/two-step/two-step-section";
import { renderPage } from "@/components/testing/render-page.fixture";
import { sampleTwoStep } from "@/components/testing/workspace.fixture";

async function askToRemove(requiredBy: string[]) {
  const { user } = renderPage(<TwoStepSection />, {
    prepare: (server) =>
      server.answer(
        "get_two_step",
        sampleTwoStep({ is_on: true, has_authenticator: true, recovery_codes_left: 10, required_by: requiredBy }),
      ),
  });
  await user.click(await screen.findByRole("button", { name: "Remove authenticator app" }));
  return within(await screen.findByRole("alertdialog"));
}

test("before the last second factor is removed, the question names the workspaces that require one", async () => {
  const question = await askToRemove(["Acme", "Side project"]);
  question.getByText(/^You can't open Acme, Side project until you set up another one/);
});

test("without such a workspace, the question only says what turns off", async () => {
  const question = await askToRemove([]);
  question.getByText(/two-step verification turns off/);
  expect(question.queryByText(/^You can't open/)).toBeNull();
});
