import { expect, test } from "vitest";
import { TEMPLATES } from "#lib/core/templates/templates";
import { findProblems } from "#lib/domain/workflows/checks/find-problems";
import { generateDefinition } from "#lib/domain/workflows/checks/generate-definition.fixture";
import { checkSeeded, judgeMistake } from "#lib/domain/workflows/checks/judge-mistakes.fixture";
import { NO_SURROUNDINGS } from "#lib/domain/workflows/checks/load-surroundings";
import { MISTAKES, SEEDED } from "#lib/domain/workflows/checks/mistakes.fixture";
import { seededRandom } from "#lib/support/seeded-random.fixture";

test("at least 60 kinds of mistakes are seeded, each under its own name, into a definition without problems", () => {
  expect(new Set(MISTAKES.map(({ name }) => name)).size).toBe(MISTAKES.length);
  expect(MISTAKES.length).toBeGreaterThanOrEqual(60);
  expect(checkSeeded(SEEDED)).toEqual([]);
});

test.each(MISTAKES)("is found with its node, its field and the correction: $name", (mistake) => {
  const { create, update, publish, isFixed } = judgeMistake(mistake);
  expect({ create, update }).toEqual({ create: true, update: true });
  expect(publish).not.toBe("passed");
  expect(isFixed).not.toBe(false);
});

test("generated definitions without mistakes have neither errors nor warnings", () => {
  const random = seededRandom(20_261_123);
  for (let round = 0; round < 100; round += 1) {
    const generated = generateDefinition(random);
    expect(findProblems(generated, null, NO_SURROUNDINGS), JSON.stringify(generated)).toEqual([]);
  }
});

test("templates have no problems but the connections and actions that they need", () => {
  for (const { definition, template_id: id } of TEMPLATES) {
    const problems = findProblems(definition, null, NO_SURROUNDINGS).map(({ code, field }) => `${code} ${field}`);
    const needed = ["INVALID_DATA connection_id", "UNKNOWN_ACTION action_slug"];
    expect(
      problems.filter((problem) => !needed.includes(problem)),
      id,
    ).toEqual([]);
  }
});
