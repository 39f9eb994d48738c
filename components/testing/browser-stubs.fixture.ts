import { cleanup, configure, prettyDOM } from "@testing-library/react";
import { toast } from "sonner";
import { afterEach, beforeEach, vi } from "vitest";
import { setReader } from "#lib/support/format/reader";

configure({
  // Far above what anything takes, as for all tests: a second says more about how busy the machine is.
  asyncUtilTimeout: 30_000,
  getElementError: (message, container) => missingElement(message ?? "", container),
});

/**
 * The error of a query that found nothing. A query that waits throws one for every change of the page and drops all but the
 * last, so the page is printed when the message is read: printing it each time took a tenth of all the time of a test.
 */
function missingElement(message: string, container: Element): Error {
  const error = new Error(message);
  error.name = "TestingLibraryElementError";
  return Object.defineProperty(error, "message", {
    configurable: true,
    get: () => [message, prettyDOM(container)].filter(Boolean).join("\n\n"),
  });
}

/** What jsdom leaves out of a browser and our controls, Radix and the virtual lists ask for. */
class SilentObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

/** A stream on which nothing arrives: the pages poll instead. */
class SilentEventSource extends EventTarget {
  static readonly CLOSED = 2;
  readonly readyState = 0;
  close(): void {}
}

beforeEach(() => {
  // Messages outlive the page that shows them, and the next test's page would show them again.
  toast.dismiss();
  setReader({ locale: "en-US", timeZone: "UTC" });
  vi.stubGlobal("ResizeObserver", SilentObserver);
  vi.stubGlobal("IntersectionObserver", SilentObserver);
  vi.stubGlobal("EventSource", SilentEventSource);
  vi.stubGlobal("matchMedia", (media: string) => Object.assign(new EventTarget(), { media, matches: false }));
  vi.stubGlobal("scrollTo", () => undefined);
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
  vi.unstubAllGlobals();
  localStorage.clear();
  sessionStorage.clear();
  window.history.replaceState(null, "", "/");
});
