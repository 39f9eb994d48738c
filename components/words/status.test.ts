import { expect, test } from "vitest";
import { STEP_STATUSES } from "#lib/contract/run/journal";
import { RUN_STATUSES } from "#lib/contract/run/run";
import { RUN_STATUS_LOOK, STEP_STATUS_LOOK } from "@/components/words/status";

test("every run status and every step status has an icon, a word and a color", () => {
  expect(Object.keys(RUN_STATUS_LOOK).toSorted()).toEqual(RUN_STATUSES.toSorted());
  expect(Object.keys(STEP_STATUS_LOOK).toSorted()).toEqual(
    [...STEP_STATUSES, "not_reached", "waiting_for_callback", "waiting_for_delay"].toSorted(),
  );
});
