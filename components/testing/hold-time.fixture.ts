import { act } from "@testing-library/react";
import { vi } from "vitest";

/**
 * Lets a test skip a page's delays until the test ends. The returned function advances the page's timers. Between the
 * calls, time passes at its real speed, so that waiting queries still work.
 */
export function holdTime(): (ms: number) => Promise<void> {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"],
    shouldAdvanceTime: true,
    advanceTimeDelta: 5,
  });
  return async (ms) => {
    await act(() => vi.advanceTimersByTimeAsync(ms));
  };
}
