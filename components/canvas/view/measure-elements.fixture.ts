import { vi } from "vitest";

const SIZE = { width: 280, height: 100 };

/** Gives every element a size, because jsdom has no layout and React Flow hides elements without a size. */
export function measureElements(): void {
  class MeasuringObserver {
    readonly #report: ResizeObserverCallback;
    constructor(report: ResizeObserverCallback) {
      this.#report = report;
    }
    observe(target: Element): void {
      const contentRect = { x: 0, y: 0, ...SIZE } as Partial<DOMRectReadOnly> as DOMRectReadOnly;
      const entry = { target, contentRect } as Partial<ResizeObserverEntry> as ResizeObserverEntry;
      queueMicrotask(() => this.#report([entry], this));
    }
    unobserve(): void {}
    disconnect(): void {}
  }
  vi.stubGlobal("ResizeObserver", MeasuringObserver);
  vi.stubGlobal(
    "DOMMatrixReadOnly",
    class {
      readonly m22 = 1;
    },
  );
  vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockReturnValue(SIZE.width);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(SIZE.height);
}
