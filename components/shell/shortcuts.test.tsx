import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { useShortcuts, useShortcutsEnabled } from "@/components/shell/shortcuts";

interface ListenerProps {
  handlers: Readonly<Record<string, () => unknown>>;
  isFirst?: boolean;
}

function Listener({ handlers, isFirst = false }: ListenerProps) {
  useShortcuts(handlers, isFirst);
  return null;
}

function Toggle() {
  const [isEnabled, setEnabled] = useShortcutsEnabled();
  return (
    <button type="button" onClick={() => setEnabled(!isEnabled)}>
      {isEnabled ? "On" : "Off"}
    </button>
  );
}

test("a letter runs its command, in upper case too", async () => {
  const create = vi.fn();
  render(<Listener handlers={{ n: create }} />);
  await userEvent.keyboard("n");
  await userEvent.keyboard("{Shift>}N{/Shift}");
  expect(create).toHaveBeenCalledTimes(2);
});

test("a letter with a modifier belongs to the browser", async () => {
  const create = vi.fn();
  render(<Listener handlers={{ n: create }} />);
  await userEvent.keyboard("{Control>}n{/Control}{Meta>}n{/Meta}{Alt>}n{/Alt}");
  expect(create).not.toHaveBeenCalled();
});

test.each([
  ["a field", <input key="field" aria-label="Target" />],
  ["a text area", <textarea key="area" aria-label="Target" />],
  ["a choice", <select key="choice" aria-label="Target" />],
  ["a dialog", <div key="dialog" role="dialog" aria-label="Target" tabIndex={-1} />],
  ["a question", <div key="question" role="alertdialog" aria-label="Target" tabIndex={-1} />],
  ["a menu", <div key="menu" role="menu" aria-label="Target" tabIndex={-1} />],
])("a letter typed in %s is no shortcut", async (_, target) => {
  const create = vi.fn();
  render(
    <>
      <Listener handlers={{ n: create }} />
      {target}
    </>,
  );
  screen.getByLabelText("Target").focus();
  await userEvent.keyboard("n");
  expect(create).not.toHaveBeenCalled();
});

test("a letter works from a button, which does nothing with it", async () => {
  const create = vi.fn();
  render(
    <>
      <Listener handlers={{ n: create }} />
      <button type="button">Target</button>
    </>,
  );
  screen.getByRole("button").focus();
  await userEvent.keyboard("n");
  expect(create).toHaveBeenCalledTimes(1);
});

test("shortcuts that are switched off stay off after a reload, and come back when they are switched on", async () => {
  const create = vi.fn();
  const page = (
    <>
      <Listener handlers={{ n: create }} />
      <Toggle />
    </>
  );
  const { unmount } = render(page);
  await userEvent.click(screen.getByRole("button", { name: "On" }));
  unmount();
  render(page);
  await userEvent.keyboard("n");
  expect(create).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole("button", { name: "Off" }));
  await userEvent.keyboard("n");
  expect(create).toHaveBeenCalledTimes(1);
});

test("a command that has no use for its letter leaves it to the next one", async () => {
  const [inner, outer] = [vi.fn(() => false), vi.fn()];
  render(
    <>
      <Listener handlers={{ k: inner }} isFirst />
      <Listener handlers={{ k: outer }} />
    </>,
  );
  await userEvent.keyboard("k");
  expect(inner).toHaveBeenCalledTimes(1);
  expect(outer).toHaveBeenCalledTimes(1);
});

test("a command that takes its letter keeps it from the others", async () => {
  const [first, second] = [vi.fn(), vi.fn()];
  render(
    <>
      <Listener handlers={{ k: second }} />
      <Listener handlers={{ k: first }} isFirst />
    </>,
  );
  await userEvent.keyboard("k");
  expect(first).toHaveBeenCalledTimes(1);
  expect(second).not.toHaveBeenCalled();
});

test("a page that closes takes its shortcuts along", async () => {
  const create = vi.fn();
  const { unmount } = render(<Listener handlers={{ n: create }} />);
  unmount();
  await userEvent.keyboard("n");
  expect(create).not.toHaveBeenCalled();
});
