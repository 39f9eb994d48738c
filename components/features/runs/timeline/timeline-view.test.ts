import { describe, expect, test } from "vitest";
import {
  axisMarks,
  fitSpan,
  panView,
  placeSegment,
  revealSpan,
  zoomView,
} from "@/components/features/runs/timeline/timeline-view";

const RUN_MS = 200_000;
const whole = { fromMs: 0, toMs: RUN_MS };

describe("zooming", () => {
  test("keeps the time under the pointer in place", () => {
    const near = zoomView(whole, 4, 50_000, RUN_MS);
    expect(near).toEqual({ fromMs: 37_500, toMs: 87_500 });
    expect(zoomView(near ?? whole, 1 / 4, 50_000, RUN_MS)).toBeNull();
  });

  test("stops at four milliseconds, and at the run's own length", () => {
    const close = zoomView(whole, 1e9, 100_000, RUN_MS);
    expect((close?.toMs ?? 0) - (close?.fromMs ?? 0)).toBe(4);
    expect(zoomView({ fromMs: 0, toMs: 150_000 }, 0.5, 0, RUN_MS)).toBeNull();
  });

  test("and moving never leave the run", () => {
    expect(panView({ fromMs: 10, toMs: 20 }, -100, RUN_MS)).toEqual({ fromMs: 0, toMs: 10 });
    expect(panView({ fromMs: 10, toMs: 20 }, 1e9, RUN_MS)).toEqual({ fromMs: RUN_MS - 10, toMs: RUN_MS });
  });

  test("fits a step of 5 ms in a run of 200 s, with a margin", () => {
    expect(fitSpan({ fromMs: 100_000, toMs: 100_005 }, RUN_MS)).toEqual({ fromMs: 99_999.5, toMs: 100_005.5 });
    expect(fitSpan(whole, RUN_MS)).toBeNull();
  });

  test("brings a step outside the view into it, and does not move for a visible one", () => {
    const view = { fromMs: 1_000, toMs: 2_000 };
    expect(revealSpan(view, { fromMs: 1_990, toMs: 5_000 }, RUN_MS)).toBe(view);
    expect(revealSpan(view, { fromMs: 9_000, toMs: 9_100 }, RUN_MS)).toEqual({ fromMs: 8_550, toMs: 9_550 });
    expect(revealSpan(view, { fromMs: 9_000, toMs: 90_000 }, RUN_MS)).toEqual({ fromMs: 8_500, toMs: 9_500 });
  });
});

test("a bar is clipped at the edges of the view", () => {
  const shown = { startMs: 1_000, endMs: 2_000 };
  expect(placeSegment({ startMs: 0, endMs: 10_000 }, shown)).toEqual({ left: 0, width: 100 });
  expect(placeSegment({ startMs: 1_250, endMs: 1_500 }, shown)).toEqual({ left: 25, width: 25 });
  expect(placeSegment({ startMs: 0, endMs: 999 }, shown)).toBeNull();
});

describe("the axis", () => {
  test("has a few marks at round times", () => {
    expect(axisMarks({ fromMs: 0, toMs: 326 }, 5)).toEqual([0, 100, 200, 300]);
    expect(axisMarks({ fromMs: 0, toMs: 1 }, 5)).toEqual([0, 1]);
    expect(axisMarks({ fromMs: 0, toMs: 7_200_000 }, 5)).toHaveLength(5);
    expect(axisMarks({ fromMs: 0, toMs: 36_000_000 }, 5).length).toBeLessThanOrEqual(6);
    expect(axisMarks({ fromMs: 99_999.5, toMs: 100_005.5 }, 3)).toEqual([100_000, 100_002, 100_004]);
  });
});
