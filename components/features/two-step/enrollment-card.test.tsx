import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { ApiError } from "#lib/contract/error/api-error";
import { eventually } from "#lib/support/eventually.fixture";
import { EnrollmentCard } from "@/components/features/two-step/enrollment-card";
import { idOf } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";
import { watchLeaving } from "@/components/testing/watch-leaving.fixture";
import { sampleTwoStep } from "@/components/testing/workspace.fixture";

const ACME = { id: "22222222-2222-4222-8222-222222222222", name: "Acme" };
const OTHER = idOf(7);

function renderCard(isDone = false) {
  const card = (
    <EnrollmentCard workspace={ACME} email="ann@example.com" returnTo="/runs?status=failed" isDone={isDone} />
  );
  return renderPage(card, {
    prepare: (server) => {
      server.answer("get_two_step", sampleTwoStep());
      server.answer("list_workspaces", {
        data: [
          { workspace_id: ACME.id, slug: "acme", name: "Acme", plan: "free", role: "viewer" },
          { workspace_id: OTHER, slug: "side", name: "Side project", plan: "free", role: "owner" },
        ],
      });
    },
  });
}

test("the card says which workspace requires two-step verification, and offers only the other ones", async () => {
  renderCard();
  screen.getByText(/^Acme requires two-step verification for all members\./);
  await screen.findByRole("button", { name: "Set up an authenticator app" });
  screen.getByRole("button", { name: "Add a passkey" });
  await screen.findByRole("button", { name: "Side project" });
  expect(screen.queryByRole("button", { name: "Acme" })).toBeNull();
  await expectAccessible();
});

test("after the recovery codes are saved, the page that the user wanted opens in that workspace", async () => {
  const leave = watchLeaving();
  const { user, server } = renderCard();
  server.answer("begin_totp", { secret: "ABCDEFGH", uri: "otpauth://totp/Signalbox" });
  server.answer("confirm_totp", { recovery_codes: ["one-two"] });
  server.answerPath("/api/workspace", 200, { workspace_id: ACME.id });
  await user.click(await screen.findByRole("button", { name: "Set up an authenticator app" }));
  await user.type(await screen.findByLabelText("Code"), "123456");
  server.answer("get_two_step", sampleTwoStep({ is_on: true, has_authenticator: true, recovery_codes_left: 10 }));
  await user.click(screen.getByRole("button", { name: "Turn on" }));
  const codes = within(await screen.findByRole("dialog", { name: "Save your recovery codes" }));
  expect(leave).not.toHaveBeenCalled();
  await user.click(codes.getByRole("button", { name: "I saved them" }));
  await eventually(() => expect(leave).toHaveBeenCalledExactlyOnceWith("/runs?status=failed"));
  expect(server.sentTo("/api/workspace")).toEqual([{ workspace_id: ACME.id }]);
});

test("another workspace opens, and one that requires two-step verification as well leads to its own card", async () => {
  const leave = watchLeaving();
  const { user, server } = renderCard();
  const side = await screen.findByRole("button", { name: "Side project" });
  server.answerPath("/api/workspace", 200, { workspace_id: OTHER });
  await user.click(side);
  await eventually(() => expect(leave).toHaveBeenLastCalledWith("/workflows"));
  const refusal = new ApiError("two_step_required", "Side project requires two-step verification.");
  server.answerPath("/api/workspace", refusal.status, refusal.toBody());
  await user.click(side);
  await eventually(() =>
    expect(leave).toHaveBeenLastCalledWith(`/two-step?workspace=${OTHER}&callbackUrl=%2Fworkflows`),
  );
});

test("a user who has a second factor by now continues with one click", async () => {
  const leave = watchLeaving();
  const { user, server } = renderCard(true);
  server.answerPath("/api/workspace", 200, { workspace_id: ACME.id });
  screen.getByRole("heading", { name: "Open Acme" });
  await user.click(screen.getByRole("button", { name: "Continue" }));
  await eventually(() => expect(leave).toHaveBeenCalledExactlyOnceWith("/runs?status=failed"));
});
