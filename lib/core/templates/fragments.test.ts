import { expect, test } from "vitest";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { FRAGMENTS } from "#lib/core/templates/fragments";

test.each(FRAGMENTS)(
  "the group $fragmentId has neither start nor end, and each step follows what leads to it",
  ({ definition: { nodes, edges } }) => {
    expect(nodes.length).toBeGreaterThan(0);
    for (const [place, { id, type, parentId }] of nodes.entries()) {
      expect([STEP_KINDS[type].hasInput, STEP_KINDS[type].isResult]).toEqual([true, false]);
      const earlier = nodes.slice(0, place).map((node) => node.id);
      const before = edges.filter(({ target }) => target === id).map(({ source }) => source);
      if (parentId !== undefined) before.push(parentId);
      expect(before.every((source) => earlier.includes(source))).toBe(true);
      // Without one, it would have no place.
      expect(place === 0 || before.length > 0).toBe(true);
    }
  },
);

test("groups have different ids and names", () => {
  expect(new Set(FRAGMENTS.map(({ fragmentId }) => fragmentId)).size).toBe(FRAGMENTS.length);
  expect(new Set(FRAGMENTS.map(({ name }) => name)).size).toBe(FRAGMENTS.length);
});
