import type { Benchmark } from "#bench/benchmark";
import { TEMPLATES } from "#lib/core/templates/templates";
import { findProblems } from "#lib/domain/workflows/checks/find-problems";
import { generateDefinition } from "#lib/domain/workflows/checks/generate-definition.fixture";
import { judgeMistake, type MistakeVerdict } from "#lib/domain/workflows/checks/judge-mistakes.fixture";
import { NO_SURROUNDINGS } from "#lib/domain/workflows/checks/load-surroundings";
import { MISTAKES } from "#lib/domain/workflows/checks/mistakes.fixture";
import { seededRandom } from "#lib/support/seeded-random.fixture";

const GENERATED = 500;
/** What a template needs from the workspace, which the checks rightly miss. */
const NEEDED = new Set(["INVALID_DATA connection_id", "UNKNOWN_ACTION action_slug"]);

/** Seeds every kind of mistake, as create, update and publish check it, and counts false alarms. Needs no product. */
export const mistakes: Benchmark = {
  summary: "seeded mistakes that the checks of a definition find, and false alarms",
  run: async () => {
    const verdicts = MISTAKES.map(judgeMistake);
    process.stdout.write(`${verdicts.map(describe).join("\n")}\n`);
    const caught = verdicts.filter(({ create, update, publish }) => create && update && publish !== "passed");
    const share = caught.length / verdicts.length;
    const alarms = countFalseAlarms();
    return [
      { figure: "kinds of mistakes", target: ">= 60", measured: verdicts.length, isMet: verdicts.length >= 60 },
      { figure: "share that is caught", target: ">= 0.95", measured: share, isMet: share >= 0.95 },
      { figure: "refused at publish", measured: verdicts.filter(({ publish }) => publish === "refused").length },
      { figure: "with a fix", measured: verdicts.filter(({ isFixed }) => isFixed === true).length },
      { figure: "false alarms", target: "0", measured: alarms, isMet: alarms === 0 },
      { figure: "CPU of one check of 200 steps, ms", target: "<= 50", ...measureCheck() },
    ];
  },
};

function describe({ name, create, update, publish, isFixed }: MistakeVerdict): string {
  const marks = [`create ${create ? "found" : "MISSED"}`, `update ${update ? "found" : "MISSED"}`, publish];
  return `  ${name.padEnd(46)}${marks.join("  ")}${isFixed === null ? "" : isFixed ? "  fix" : "  WRONG FIX"}`;
}

/** Checks the templates and generated definitions, which have no mistakes. */
function countFalseAlarms(): number {
  const random = seededRandom(1);
  const generated = Array.from({ length: GENERATED }, () => generateDefinition(random));
  const found = [...TEMPLATES.map(({ definition }) => definition), ...generated].flatMap((definition) =>
    findProblems(definition, null, NO_SURROUNDINGS),
  );
  return found.filter(({ code, field }) => !NEEDED.has(`${code} ${field}`)).length;
}

const CHECKS = 20;
const STEPS = 198;

function measureCheck(): { measured: number; isMet: boolean } {
  const definition = generateDefinition(seededRandom(2), STEPS);
  findProblems(definition, null, NO_SURROUNDINGS);
  const before = process.cpuUsage();
  for (let round = 0; round < CHECKS; round += 1) findProblems(definition, null, NO_SURROUNDINGS);
  const { user, system } = process.cpuUsage(before);
  const measured = (user + system) / 1_000 / CHECKS;
  return { measured, isMet: measured <= 50 };
}
