import { act } from "@testing-library/react";
import { vi } from "vitest";

/**
 * Lets a test skip the delays of a page: the returned function moves its timers on by that much. Between the calls time passes
 * as it does outside, so that queries which wait still work. Lasts until the test ends.
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
