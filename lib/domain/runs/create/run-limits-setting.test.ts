import { expect, test } from "vitest";
import { runLimits } from "#lib/domain/runs/create/run-limits";

process.env.RUNS_PER_USER_PER_HOUR = "33";

test("events keep four fifths of the limit that the operator set, rounded up", () => {
  expect(runLimits("pro")).toMatchObject({ perUserPerHour: 33, eventsPerUserPerHour: 27 });
});
