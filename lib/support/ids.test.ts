import { expect, test } from "vitest";
import { UUID_PATTERN, uuidv7 } from "#lib/support/ids";

test("no id repeats another one, however many are made", () => {
  const ids = Array.from({ length: 10_000 }, () => uuidv7(1_767_225_600_000));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !UUID_PATTERN.test(id) || id[14] !== "7" || !"89ab".includes(id[19] ?? ""))).toEqual([]);
});

test("an id starts with its time", () => {
  expect(uuidv7(0x0123_4567_89ab).slice(0, 13)).toBe("01234567-89ab");
});

test("ids of one millisecond sort in the order of their creation", () => {
  for (let ms = 1; ms <= 100; ms += 1) {
    const ids = Array.from({ length: 2_048 }, () => uuidv7(ms));
    expect(ids).toEqual([...ids].sort());
  }
});
