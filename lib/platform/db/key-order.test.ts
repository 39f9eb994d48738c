import { expect, test } from "vitest";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { keepsKeyOrder } from "#lib/support/json";
import { seededRandom } from "#lib/support/seeded-random.fixture";

useTestDatabase();

const KEYS = ["", "a", "b", "Z", "10", "9", "zz", "aa", "~", "_", "ab", "key", "\u0001", "ж", "é", "😀", "￿", "a b"];

test("an object that is said to keep the order of its keys comes back from jsonb with the same text", async () => {
  const random = seededRandom(20_261_129);
  const values = Array.from({ length: 20_000 }, () => {
    const keys = Array.from({ length: random.below(5) }, () => random.pick(KEYS));
    const object = Object.fromEntries(
      keys.map((key) => [key, random.below(3) === 0 ? [{ [random.pick(KEYS)]: 1, b: {} }] : 0]),
    );
    return random.below(2) === 0 ? object : [1, { a: object }];
  });
  const { rows } = await db().query<{ value: unknown }>(
    "select value from json_array_elements($1::json) with ordinality e (raw, place), lateral (select raw::jsonb as value) v order by place",
    [JSON.stringify(values)],
  );
  const isSame = values.map((value, index) => JSON.stringify(value) === JSON.stringify(rows[index]?.value));
  const claims = values.map((value) => keepsKeyOrder(value));
  expect(values.filter((_, index) => claims[index] && !isSame[index])).toEqual([]);
  // The claim is exact for names in ASCII; otherwise more would be stored twice. JavaScript moves integers to the front.
  const isPlain = (value: unknown) => !/[^\0-\x7f]|"\d+":/.test(JSON.stringify(value));
  expect(values.filter((value, index) => !claims[index] && isSame[index] && isPlain(value))).toEqual([]);
  expect(claims.filter(Boolean).length).toBeGreaterThan(1_000);
});
