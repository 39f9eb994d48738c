import { expect, test } from "vitest";
import { differingParts } from "@/components/canvas/view/differing-parts";

test("two texts are split between words, at the start and end of their difference", () => {
  expect(differingParts("Sort this request now", "Sort these requests now")).toEqual({
    was: { before: "Sort ", differing: "this request", after: " now" },
    now: { before: "Sort ", differing: "these requests", after: " now" },
  });
  expect(differingParts("a b", "a b")).toEqual({
    was: { before: "a b", differing: "", after: "" },
    now: { before: "a b", differing: "", after: "" },
  });
  expect(differingParts("", "new")).toMatchObject({ was: { differing: "" }, now: { differing: "new" } });
  expect(differingParts("one one", "one one one").now).toEqual({ before: "one one", differing: " one", after: "" });
});

test("a change inside a long text is shown with a little of the surrounding text", () => {
  const long = "word ".repeat(2_000);
  const { was, now } = differingParts(`${long}old ${long}`, `${long}new ${long}`);
  expect([was.differing.trim(), now.differing.trim()]).toEqual(["old", "new"]);
  expect(now.before).toHaveLength(401);
  expect(now.after).toHaveLength(401);
});
