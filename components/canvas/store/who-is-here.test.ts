import { expect, test } from "vitest";
import type { WorkflowNotice } from "#lib/contract/workflow/presence";
import { hearNotice, listPeople, NOBODY, withoutGone } from "@/components/canvas/store/who-is-here";

const notice = (kind: WorkflowNotice["kind"], name: string, clientId: string | null): WorkflowNotice => ({
  workflow_id: "w",
  kind,
  actor: { type: "user", id: name, name },
  client_id: clientId,
  revision: kind === "changed" ? 3 : null,
});

test("a person with two pages is listed once, until the last page is closed", () => {
  let presence = hearNotice(NOBODY, notice("here", "Bo", "b1"), 0);
  presence = hearNotice(presence, notice("here", "Bo", "b2"), 0);
  presence = hearNotice(presence, notice("here", "Ann", "a1"), 0);
  expect(listPeople(presence).map(({ name }) => name)).toEqual(["Ann", "Bo"]);
  presence = hearNotice(presence, notice("left", "Bo", "b1"), 0);
  expect(listPeople(presence)).toHaveLength(2);
  expect(listPeople(hearNotice(presence, notice("left", "Bo", "b2"), 0)).map(({ name }) => name)).toEqual(["Ann"]);
});

test("a page that stops reporting is removed", () => {
  const presence = hearNotice(hearNotice(NOBODY, notice("here", "Bo", "b"), 0), notice("here", "Ann", "a"), 40_000);
  expect(listPeople(withoutGone(presence, 60_000)).map(({ name }) => name)).toEqual(["Ann"]);
  expect(withoutGone(presence, 10_000)).toBe(presence);
});

test("a change is stored with its author", () => {
  expect(hearNotice(NOBODY, notice("changed", "Bot", null), 5).lastChange).toMatchObject({
    actor: { name: "Bot" },
    revision: 3,
    atMs: 5,
  });
});
