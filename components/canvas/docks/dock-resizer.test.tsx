import { fireEvent, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { DockResizer } from "@/components/canvas/docks/dock-resizer";
import { DOCKS, type DockName, useDockSize } from "@/components/canvas/docks/dock-size";
import { renderPage } from "@/components/testing/render-page.fixture";

function Dock({ dock }: { dock: DockName }) {
  const [size, resize] = useDockSize(dock);
  return <DockResizer dock={dock} size={size} onResize={resize} />;
}

const sizeOf = (name: string) => Number(screen.getByRole("separator", { name }).getAttribute("aria-valuenow"));

test.each([
  ["panel", "Panel width", "{ArrowLeft}", "{ArrowRight}"],
  ["test", "Test panel height", "{ArrowUp}", "{ArrowDown}"],
] as const)(
  "the arrow keys resize the %s dock, faster with Shift, and the next visit has the size",
  async (dock, name, grow, shrink) => {
    const { min, usual, max } = DOCKS[dock];
    const { user, unmount } = renderPage(<Dock dock={dock} />);
    screen.getByRole("separator", { name }).focus();
    await user.keyboard(grow);
    expect(sizeOf(name)).toBe(usual + 20);
    await user.keyboard(`{Shift>}${grow}{/Shift}${shrink}`);
    expect(sizeOf(name)).toBe(usual + 100);
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect(sizeOf(name)).toBe(usual + 100);
    await user.keyboard("{Home}");
    expect(sizeOf(name)).toBe(min);
    await user.keyboard(shrink);
    expect(sizeOf(name)).toBe(min);
    await user.keyboard("{End}");
    expect(sizeOf(name)).toBe(max);
    unmount();
    renderPage(<Dock dock={dock} />);
    expect(sizeOf(name)).toBe(max);
  },
);

test("Enter and a double-click restore the usual size", async () => {
  const { user } = renderPage(<Dock dock="panel" />);
  const edge = screen.getByRole("separator");
  edge.focus();
  await user.keyboard("{End}{Enter}");
  expect(sizeOf("Panel width")).toBe(DOCKS.panel.usual);
  await user.keyboard("{End}");
  fireEvent.doubleClick(edge);
  expect(sizeOf("Panel width")).toBe(DOCKS.panel.usual);
});

test("another user of the same browser has their own size", async () => {
  const { user, unmount } = renderPage(<Dock dock="panel" />);
  screen.getByRole("separator").focus();
  await user.keyboard("{End}");
  unmount();
  const other = { user_id: "99999999-9999-4999-8999-999999999999", name: "Bea", email: "bea@example.com" };
  renderPage(<Dock dock="panel" />, { session: { user: other } });
  expect(sizeOf("Panel width")).toBe(DOCKS.panel.usual);
});
