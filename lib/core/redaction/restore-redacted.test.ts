import { expect, test } from "vitest";
import { restoreRedacted } from "#lib/core/redaction/restore-redacted";

const SHOWN = {
  to: "[REDACTED_EMAIL]",
  list: ["[REDACTED_EMAIL]", "[REDACTED_EMAIL]"],
  deep: { a: "x [REDACTED_EMAIL]", n: 1 },
};
const REAL = { to: "a@x.org", list: ["b@x.org", "c@x.org"], deep: { a: "x d@x.org", n: 1 } };

test("unchanged values get their real content back, whatever else was edited", () => {
  expect(restoreRedacted(SHOWN, SHOWN, REAL)).toEqual({ value: REAL, lost: [] });
  const edited = { ...SHOWN, deep: { ...SHOWN.deep, n: 2 }, list: ["[REDACTED_EMAIL]", "e@x.org"], more: "[a]" };
  expect(restoreRedacted(edited, SHOWN, REAL)).toEqual({
    value: { to: "a@x.org", list: ["b@x.org", "e@x.org"], deep: { a: "x d@x.org", n: 2 }, more: "[a]" },
    lost: [],
  });
});

test("a removed field is not restored", () => {
  expect(restoreRedacted({ to: "me" }, SHOWN, REAL)).toEqual({ value: { to: "me" }, lost: [] });
});

test.each([
  ["within an edited text", { to: "Ann <[REDACTED_EMAIL]>" }, "/to"],
  ["in a list that lost an item, where the items can't be matched", { list: ["[REDACTED_EMAIL]"] }, "/list/0"],
  ["moved to another field", { "a/b": "[REDACTED_EMAIL]" }, "/a~1b"],
  ["under a key that is inherited, not own", { constructor: "[REDACTED]" }, "/constructor"],
])("a hidden value %s is reported and never used", (_, edited, pointer) => {
  expect(restoreRedacted(edited, SHOWN, REAL).lost).toMatchObject([{ pointer, code: "redacted" }]);
});

test("a marker that was the real text is kept", () => {
  const same = { text: "[REDACTED_EMAIL]" };
  expect(restoreRedacted(same, same, same)).toEqual({ value: same, lost: [] });
});
