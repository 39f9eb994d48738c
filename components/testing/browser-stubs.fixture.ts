import { cleanup, configure, prettyDOM } from "@testing-library/react";
import { toast } from "sonner";
import { afterEach, beforeEach, vi } from "vitest";
import { setReader } from "#lib/support/format/reader";

configure({
  // Far longer than any wait takes, as in all tests. A limit of a second depends more on how busy the machine is than
  // on the code.
  asyncUtilTimeout: 120_000,
  getElementError: (message, container) => missingElement(message ?? "", container),
});

/**
 * Returns the error of a query that found nothing. A waiting query throws one for every change of the page and drops
 * all but the last. So the page is printed when the message is read: printing it each time took a tenth of a test's
 * time.
 */
function missingElement(message: string, container: Element): Error {
  const error = new Error(message);
  error.name = "TestingLibraryElementError";
  return Object.defineProperty(error, "message", {
    configurable: true,
    get: () => [message, prettyDOM(container)].filter(Boolean).join("\n\n"),
  });
}

const FRAME_MS = 16;

/** Replaces the observers that jsdom lacks, and that our controls, Radix, and the virtual lists need. */
class SilentObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

/** A stream that never receives anything, so the pages poll instead. */
class SilentEventSource extends EventTarget {
  static readonly CLOSED = 2;
  readonly readyState = 0;
  close(): void {}
}

beforeEach(() => {
  // Messages stay after their page is gone, and the next test's page would show them again.
  toast.dismiss();
  setReader({ locale: "en-US", timeZone: "UTC" });
  vi.stubGlobal("ResizeObserver", SilentObserver);
  vi.stubGlobal("IntersectionObserver", SilentObserver);
  vi.stubGlobal("EventSource", SilentEventSource);
  vi.stubGlobal("matchMedia", (media: string) => Object.assign(new EventTarget(), { media, matches: false }));
  vi.stubGlobal("scrollTo", () => undefined);
  // jsdom keeps one timer for all frames. Fake timers that hold it would stop the frames of later tests, too.
  vi.stubGlobal("requestAnimationFrame", (draw: FrameRequestCallback) =>
    setTimeout(() => draw(performance.now()), FRAME_MS),
  );
  vi.stubGlobal("cancelAnimationFrame", clearTimeout);
  Object.assign(Element.prototype, {
    scrollIntoView: () => undefined,
    hasPointerCapture: () => false,
    setPointerCapture: () => undefined,
    releasePointerCapture: () => undefined,
  });
  Object.assign(Range.prototype, { getClientRects: () => [] });
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  // A test may end while the pointer is down.
  window.dispatchEvent(new Event("pointercancel"));
  vi.unstubAllGlobals();
  localStorage.clear();
  sessionStorage.clear();
  window.history.replaceState(null, "", "/");
});
