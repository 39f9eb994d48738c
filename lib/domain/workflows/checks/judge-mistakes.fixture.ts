import type { Definition } from "#lib/contract/workflow/graph";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { applyGraphOperations } from "#lib/core/graph/edits/apply-graph-operations";
import { graphOperationSchema } from "#lib/core/graph/edits/graph-operations";
import { findProblems } from "#lib/domain/workflows/checks/find-problems";
import { type Mistake, SEEDED, SEEDED_SURROUNDINGS } from "#lib/domain/workflows/checks/mistakes.fixture";

export interface MistakeVerdict {
  name: string;
  /**
   * True if the mistake is found with the right node, field, and correction when the definition is created as a whole.
   */
  create: boolean;
  /** True if the mistake is found in the same way when the operations arrive one after the other. */
  update: boolean;
  publish: "refused" | "warned" | "passed";
  /** True if the problem has a fix that works. Null if it has no fix. */
  isFixed: boolean | null;
}

/** Seeds a mistake into a valid definition, and checks the definition the way create, update, and publish do. */
export function judgeMistake(mistake: Mistake): MistakeVerdict {
  const whole = applyGraphOperations(SEEDED, mistake.operations);
  const created = checkSeeded(JSON.parse(JSON.stringify(whole)));
  const updated = checkSeeded(
    mistake.operations.reduce((draft, operation) => applyGraphOperations(draft, [operation]), SEEDED),
  );
  const found = created.find((problem) => isNamed(problem, mistake));
  const publish = created.some(({ severity }) => severity === "error") ? "refused" : found ? "warned" : "passed";
  return {
    name: mistake.name,
    create: found !== undefined,
    update: updated.some((problem) => isNamed(problem, mistake)),
    publish,
    isFixed: found?.fix === undefined ? null : isMended(whole, found),
  };
}

export function checkSeeded(definition: Definition): GraphProblem[] {
  return findProblems(definition, null, SEEDED_SURROUNDINGS);
}

export function isNamed({ node_id, field, message }: GraphProblem, mistake: Mistake): boolean {
  const isPlace = node_id === mistake.node && (mistake.field === undefined || field === mistake.field);
  return isPlace && message.includes(mistake.says);
}

function isMended(definition: Definition, { fix, code, field }: GraphProblem): boolean {
  const mended = applyGraphOperations(definition, [graphOperationSchema.parse(fix)]);
  return !checkSeeded(mended).some((problem) => problem.code === code && problem.field === field);
}
