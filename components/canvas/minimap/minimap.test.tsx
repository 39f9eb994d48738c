import { act, fireEvent, screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { eventually } from "#lib/support/eventually.fixture";
import { card, renderEditor, sampleNote } from "@/components/canvas/editor/render-editor.fixture";

/** The minimap is hidden from screen readers, because everything it does has a shortcut. */
const map = () => document.querySelector("[data-minimap]");
const shown = async () => eventually(() => expect(map()).not.toBeNull());
const drawing = () => map()?.querySelector("svg") ?? document.createElementNS("http://www.w3.org/2000/svg", "svg");
const fills = () => [...drawing().querySelectorAll("path")].map((path) => path.getAttribute("fill") ?? "");
const toggle = () => screen.getByRole("button", { name: /^Minimap/ });
const view = () => document.querySelector<HTMLElement>(".react-flow__viewport")?.style.transform;

beforeEach(() => {
  // One pixel of the minimap is one pixel of the drawing, because jsdom has no SVG geometry.
  Object.assign(SVGElement.prototype, { getScreenCTM: () => ({ inverse: () => ({}) }) });
  vi.stubGlobal(
    "DOMPoint",
    class {
      constructor(
        readonly x: number,
        readonly y: number,
      ) {}
      matrixTransform() {
        return this;
      }
    },
  );
});

test("M shows and hides the minimap, and the next visit remembers it", async () => {
  const first = await renderEditor();
  await shown();
  await first.user.keyboard("m");
  expect(map()).toBeNull();
  expect(toggle().getAttribute("aria-pressed")).toBe("false");
  first.unmount();
  await renderEditor();
  expect(map()).toBeNull();
  expect(toggle().getAttribute("aria-pressed")).toBe("false");
});

test("a narrow window hides the minimap until the user opens it", async () => {
  vi.stubGlobal("innerWidth", 800);
  const { user } = await renderEditor();
  expect(map()).toBeNull();
  await user.click(toggle());
  await shown();
  expect(toggle().getAttribute("aria-pressed")).toBe("true");
});

test("the minimap draws every step and note, and updates for new and selected ones", async () => {
  const { editor } = await renderEditor({ notes: [sampleNote()] });
  await shown();
  expect(fills()).toContain("var(--warn)");
  expect(fills()).not.toContain("var(--accent)");
  act(() => editor.getState().select(["wait"]));
  await eventually(() => expect(fills()).toContain("var(--accent)"));
  act(() => editor.getState().editNotes([]));
  await eventually(() => expect(fills()).not.toContain("var(--warn)"));
});

test("an empty drawing has no minimap", async () => {
  await renderEditor({ nodes: [] });
  expect(toggle().getAttribute("aria-pressed")).toBe("true");
  expect(map()).toBeNull();
});

test("a click on the minimap brings that place into view, and the drawing stays unchanged", async () => {
  const { editor } = await renderEditor();
  await shown();
  const before = [view(), editor.getState().definition] as const;
  fireEvent.pointerDown(drawing(), { button: 0, clientX: 4_000, clientY: 3_000 });
  fireEvent.lostPointerCapture(drawing());
  await eventually(() => expect(view()).not.toBe(before[0]));
  expect(editor.getState().definition).toBe(before[1]);
  expect(card("Wait")).toBeDefined();
});

test("dragging on the minimap moves the view as long as the button is held", async () => {
  await renderEditor();
  await shown();
  fireEvent.pointerDown(drawing(), { button: 0, clientX: 4_000, clientY: 3_000 });
  fireEvent.pointerMove(drawing(), { clientX: 4_200, clientY: 3_000 });
  await eventually(() => expect(view()).toContain("-"));
  const dragged = view();
  fireEvent.lostPointerCapture(drawing());
  fireEvent.pointerMove(drawing(), { clientX: 5_000, clientY: 5_000 });
  expect(view()).toBe(dragged);
});

test("the right button on the minimap moves nothing", async () => {
  await renderEditor();
  await shown();
  const before = view();
  fireEvent.pointerDown(drawing(), { button: 2, clientX: 4_000, clientY: 3_000 });
  fireEvent.pointerMove(drawing(), { clientX: 9_000, clientY: 3_000 });
  expect(view()).toBe(before);
});
