import { fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useOnIntent } from "@/components/ui/use-on-intent";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function Page({ loads }: { loads: readonly (() => Promise<unknown>)[] }) {
  useOnIntent(loads);
  return (
    <main>
      <p>Text</p>
      <button type="button">
        <span>Open</span>
      </button>
    </main>
  );
}

function open() {
  const load = vi.fn(async () => undefined);
  const { unmount } = render(<Page loads={[load]} />);
  return { load, unmount };
}

test("code loads once when the pointer rests on a control, not when it crosses the page", () => {
  const { load } = open();
  fireEvent.pointerOver(screen.getByText("Text"));
  vi.advanceTimersByTime(60_000);
  fireEvent.pointerOver(screen.getByText("Open"));
  fireEvent.pointerOver(screen.getByText("Text"));
  vi.advanceTimersByTime(60_000);
  expect(load).not.toHaveBeenCalled();
  fireEvent.pointerOver(screen.getByText("Open"));
  vi.advanceTimersByTime(1_000);
  expect(load).toHaveBeenCalledOnce();
  fireEvent.pointerOver(screen.getByText("Open"));
  vi.advanceTimersByTime(1_000);
  expect(load).toHaveBeenCalledOnce();
});

test("code does not load while a wheel moves the page under the pointer", () => {
  const { load } = open();
  fireEvent.pointerOver(screen.getByText("Open"));
  for (let turn = 0; turn < 100; turn += 1) {
    vi.advanceTimersByTime(50);
    fireEvent.wheel(screen.getByText("Open"));
  }
  expect(load).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_000);
  expect(load).toHaveBeenCalledOnce();
});

test.each(["pointerDown", "keyDown"] as const)("code loads on %s, unless the page is gone", (press) => {
  const { load, unmount } = open();
  fireEvent[press](screen.getByText("Text"));
  expect(load).toHaveBeenCalledOnce();
  unmount();
  const gone = open();
  gone.unmount();
  fireEvent[press](document.body);
  expect(gone.load).not.toHaveBeenCalled();
});
