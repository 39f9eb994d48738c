import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { CreatedInvite } from "#lib/contract/workspace/workspace";
import { InviteLinkDialog } from "@/components/features/settings/invite-link-dialog";
import { expectAccessible, expectFocus, renderPage } from "@/components/testing/render-page.fixture";
import { sampleInvite } from "@/components/testing/workspace.fixture";

const LINK = "https://signalbox.example/signup?invite=token";

function renderLink(changes: Partial<CreatedInvite> = {}) {
  const onClose = vi.fn();
  return {
    ...renderPage(<InviteLinkDialog invite={{ ...sampleInvite(), link: LINK, ...changes }} onClose={onClose} />),
    onClose,
  };
}

test("the whole link can be copied without moving the focus first", async () => {
  const { user } = renderLink();
  const dialog = screen.getByRole("dialog", { name: /cleo@example\.com/ });
  expect(dialog.textContent).toContain(LINK);
  await expectFocus(screen.getByRole("button", { name: /^Copy/ }));
  await user.keyboard("{Enter}");
  expect(await navigator.clipboard.readText()).toBe(LINK);
  await screen.findByRole("button", { name: "Copied" });
  await expectAccessible();
});

test("an invite that is not mailed asks the sender to share the link", () => {
  renderLink({ mail: null });
  screen.getByText(/didn't email the link/);
});

test("an invite that is mailed names its address", () => {
  renderLink({ mail: "waiting" });
  screen.getByText(/mailed to cleo@example\.com/);
  expect(screen.queryByText(/didn't email the link/)).toBeNull();
});

test("closing the dialog needs no confirmation: a lost link can be replaced by a new one", async () => {
  const { user, onClose } = renderLink();
  await user.keyboard("{Escape}");
  expect(onClose).toHaveBeenCalledTimes(1);
  expect(screen.queryByRole("alertdialog")).toBeNull();
});
