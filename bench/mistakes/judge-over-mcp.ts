import { type CallTool, callOrThrow } from "#bench/mistakes/mcp-caller";
import { runForReal } from "#bench/mistakes/run-for-real";
import type { WireMistake } from "#bench/mistakes/wire-mistakes";
import type { Definition } from "#lib/contract/workflow/graph";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { applyGraphOperations } from "#lib/core/graph/edits/apply-graph-operations";
import { isNamed, type MistakeVerdict } from "#lib/domain/workflows/checks/judge-mistakes.fixture";
import { type Mistake, SEEDED } from "#lib/domain/workflows/checks/mistakes.fixture";

/** A verdict over MCP, which also says how a run of the published workflow ended. Null if no run was needed. */
export type McpVerdict = MistakeVerdict & { isSilentSuccess: boolean | null };

/** Seeds a mistake into a new workflow through an agent's tools. */
export async function judgeOverMcp(call: CallTool, mistake: Mistake, slug: string): Promise<McpVerdict> {
  const whole = applyGraphOperations(SEEDED, mistake.operations);
  const created = await callOrThrow(call, "create_workflow", { name: mistake.name, definition: whole });
  const { workflow_id: workflowId } = created;
  const found = problemsOf(created).find((problem) => isNamed(problem, mistake));
  await callOrThrow(call, "update_workflow", { workflow_id: workflowId, definition: SEEDED });
  const updated = await callOrThrow(call, "update_workflow", {
    workflow_id: workflowId,
    operations: mistake.operations,
  });
  const { isError, body } = await call("deploy_workflow", { workflow_id: workflowId, slug });
  const reported = [...list(body.details), ...list(body.warnings)].some((problem) => isNamed(problem, mistake));
  const publish = isError ? "refused" : reported ? "warned" : "passed";
  return {
    name: mistake.name,
    create: found !== undefined,
    update: problemsOf(updated).some((problem) => isNamed(problem, mistake)),
    publish: isError && !reported ? "passed" : publish,
    isFixed: found?.fix === undefined ? null : await isMended(call, String(workflowId), found),
    isSilentSuccess: publish === "passed" ? await runForReal(call, whole, `${slug}-run`) : null,
  };
}

/** Sends a definition and an operation with a key that the schema does not know. Both must be refused. */
export async function judgeWireMistake(call: CallTool, mistake: WireMistake): Promise<McpVerdict> {
  const created = await call("create_workflow", { name: mistake.name, definition: mistake.definition });
  const { workflow_id: id } = await callOrThrow(call, "create_workflow", { name: mistake.name, definition: SEEDED });
  const updated = await call("update_workflow", { workflow_id: id, operations: [mistake.operation] });
  const says = ({ isError, body }: typeof created, words: readonly string[]) =>
    isError && words.every((word) => JSON.stringify(body.details).includes(JSON.stringify(word).slice(1, -1)));
  const create = says(created, mistake.says);
  const update = says(updated, [mistake.correction]);
  const publish = created.isError ? "refused" : "passed";
  return { name: mistake.name, create, update, publish, isFixed: null, isSilentSuccess: null };
}

async function isMended(call: CallTool, workflowId: string, { code, field }: GraphProblem): Promise<boolean> {
  const fixed = await callOrThrow(call, "update_workflow", { workflow_id: workflowId, apply_fixes: true });
  const isSame = (problem: GraphProblem) => problem.code === code && problem.field === field;
  return list(fixed.applied_fixes).some(isSame) && !problemsOf(fixed).some(isSame);
}

/** Counts the problems of valid definitions. An agent sends all of them as drafts of one workflow. */
export async function countFalseAlarms(
  call: CallTool,
  definitions: readonly Definition[],
  isExpected: (problem: GraphProblem) => boolean,
): Promise<GraphProblem[]> {
  const { workflow_id: id } = await callOrThrow(call, "create_workflow", { name: "Valid" });
  const alarms: GraphProblem[] = [];
  for (const definition of definitions) {
    const saved = await callOrThrow(call, "update_workflow", { workflow_id: id, definition });
    alarms.push(...problemsOf(saved).filter((problem) => !isExpected(problem)));
  }
  return alarms;
}

function problemsOf({ problems }: Record<string, unknown>): GraphProblem[] {
  return list(problems);
}

function list(value: unknown): GraphProblem[] {
  return Array.isArray(value) ? value : [];
}
