import { screen, within } from "@testing-library/react";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { eventually } from "#lib/support/eventually.fixture";
import { expectAccessible, expectFocus, renderPage } from "@/components/testing/render-page.fixture";
import { AlertDialog } from "@/components/ui/overlays/alert-dialog";
import { Dialog } from "@/components/ui/overlays/dialog";

function Page({ onClose = () => undefined }: { onClose?: () => void }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        Open
      </button>
      <Dialog
        isOpen={isOpen}
        onClose={() => {
          onClose();
          setIsOpen(false);
        }}
        title="Settings"
        description="What can be set."
        footer={<button type="button">Save</button>}
      >
        <input aria-label="Name" />
      </Dialog>
    </>
  );
}

const open = async ({ user }: ReturnType<typeof renderPage>) => {
  await user.click(screen.getByRole("button", { name: "Open" }));
  return screen.findByRole("dialog", { name: "Settings", description: "What can be set." });
};

test("a dialog keeps the focus inside, from its last control to its first and back", async () => {
  const page = renderPage(<Page />);
  const dialog = within(await open(page));
  const [close, name, save] = [
    dialog.getByRole("button", { name: "Close" }),
    dialog.getByRole("textbox", { name: "Name" }),
    dialog.getByRole("button", { name: "Save" }),
  ];
  await page.user.tab();
  expect(document.activeElement).toBe(close);
  await page.user.tab();
  expect(document.activeElement).toBe(name);
  await page.user.tab();
  expect(document.activeElement).toBe(save);
  await page.user.tab();
  expect(document.activeElement).toBe(close);
  await page.user.tab({ shift: true });
  expect(document.activeElement).toBe(save);
  await expectAccessible();
});

test("Escape closes a dialog once and returns the focus to what opened it", async () => {
  const onClose = vi.fn();
  const page = renderPage(<Page onClose={onClose} />);
  await open(page);
  await page.user.keyboard("{Escape}");
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(onClose).toHaveBeenCalledTimes(1);
  await expectFocus(screen.getByRole("button", { name: "Open" }));
});

test("while a dialog is open, the page behind it is hidden from screen readers", async () => {
  const page = renderPage(<Page />);
  await open(page);
  expect(screen.queryByRole("button", { name: "Open" })).toBeNull();
  await page.user.click(screen.getByRole("button", { name: "Close" }));
  screen.getByRole("button", { name: "Open" });
});

function renderQuestion(props: Partial<Parameters<typeof AlertDialog>[0]> = {}) {
  const [onClose, onConfirm] = [vi.fn(), vi.fn()];
  const page = renderPage(
    <AlertDialog isOpen onClose={onClose} onConfirm={onConfirm} title="Delete it?" confirmLabel="Delete" {...props}>
      <p>It is gone then.</p>
    </AlertDialog>,
  );
  return { ...page, onClose, onConfirm };
}

test("a question starts on the button that changes nothing, so that Enter is harmless", async () => {
  const { user, onClose, onConfirm } = renderQuestion();
  await expectFocus(screen.getByRole("button", { name: "Cancel" }));
  await user.keyboard("{Enter}");
  expect(onClose).toHaveBeenCalledTimes(1);
  expect(onConfirm).not.toHaveBeenCalled();
});

test("a question is described by its consequence", async () => {
  renderQuestion();
  await screen.findByRole("alertdialog", { name: "Delete it?", description: "It is gone then." });
  await expectAccessible();
});

test("a question that is being answered cannot be confirmed again, and its button keeps the focus", async () => {
  const { user, onConfirm } = renderQuestion({ isBusy: true });
  const confirm = screen.getByRole<HTMLButtonElement>("button", { name: "Delete" });
  expect(confirm.getAttribute("aria-busy")).toBe("true");
  await user.click(confirm);
  expect(document.activeElement).toBe(confirm);
  await user.keyboard("{Enter}");
  expect(onConfirm).not.toHaveBeenCalled();
});

test("a typed confirmation may have spaces around it, and nothing else", async () => {
  const { user, onConfirm } = renderQuestion({ typeToConfirm: "refund" });
  const field = screen.getByRole("textbox", { name: "Type refund to confirm" });
  await user.type(field, "Refund{Enter}");
  expect(onConfirm).not.toHaveBeenCalled();
  await user.clear(field);
  await user.type(field, " refund {Enter}");
  expect(onConfirm).toHaveBeenCalledTimes(1);
});

test("an error is announced inside the question", async () => {
  renderQuestion({ error: "It is in use." });
  const question = await screen.findByRole("alertdialog");
  await eventually(() => expect(within(question).getByRole("alert").textContent).toBe("It is in use."));
});
