import { setTimeout as sleep } from "node:timers/promises";
import { isTerminal, type RunObject } from "#lib/contract/run/run";
import type { InputSchema } from "#lib/contract/wire/json-schema";
import { addAction } from "#lib/domain/actions/action.fixture";
import { callAction } from "#lib/domain/runs/create/call-action.fixture";
import { replayRun } from "#lib/domain/runs/create/replay-run";
import { decideRun } from "#lib/domain/runs/decide/decide-run";
import { ANN, decisionOf } from "#lib/domain/runs/execute/held-run.fixture";
import { getRun, type RunReference } from "#lib/domain/runs/read/get-run";
import { findProblems } from "#lib/domain/workflows/checks/find-problems";
import { NO_SURROUNDINGS } from "#lib/domain/workflows/checks/load-surroundings";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { type PredictedEnd, type Prediction, predictRun } from "#worker/random-runs/predict-run.fixture";
import { renderChild, renderWorkflow } from "#worker/random-runs/render-workflow.fixture";
import type { ScriptedService } from "#worker/random-runs/scripted-service.fixture";
import { CHILDREN, type ChildName, type Json, type WorkflowModel } from "#worker/random-runs/workflow-model.fixture";

const INPUT_SCHEMA: InputSchema = {
  type: "object",
  properties: { num: { type: "integer" }, txt: { type: "string" }, list: { type: "array" } },
  required: ["num", "txt", "list"],
};
const CHILD_SCHEMA: InputSchema = { type: "object", properties: { v: { type: "number" } }, required: [] };
const POLL_MS = 20;
const DEADLINE_MS = 120_000;

export interface PlayOptions {
  service: ScriptedService;
  /** An attempt in progress when its worker is killed is repeated. */
  isKilled: boolean;
  /** Replays the run after it has ended, from the start and, if it did not succeed, from where it ended. */
  replays: boolean;
}

/**
 * Runs a workflow in a workspace of its own, whose circuit breakers nothing else opens.
 * @returns what differs from the prediction; empty if nothing does
 */
export async function playRun(model: WorkflowModel, options: PlayOptions): Promise<string[]> {
  const workspace = await addWorkspace();
  const slugs = Object.fromEntries(
    await Promise.all(Object.keys(CHILDREN).map(async (name) => [name, await addChild(workspace, name as ChildName)])),
  );
  const definition = renderWorkflow(model, { serviceUrl: options.service.url, slugs });
  const errors = findProblems(definition, null, NO_SURROUNDINGS).filter(({ severity }) => severity === "error");
  if (errors.length > 0) return errors.map(({ message }) => `not publishable: ${message}`);
  const action = await addAction(workspace, { definition, inputSchema: INPUT_SCHEMA });
  const { run } = await callAction({ workspace, action }, { input: model.input });
  const prediction = predictRun(model);
  const first = await judge(reference(workspace, run.run_id), model, prediction, options);
  if (!options.replays || first.length > 0) return first;
  const mode = prediction.status === "succeeded" ? "from_start" : "resume";
  const { plan, userId } = workspace;
  const replay = await replayRun({ ...reference(workspace, run.run_id), mode, plan, userId, actor: ANN });
  const again = await judge(reference(workspace, replay.run_id), model, prediction, { ...options, isKilled: true });
  return again.map((difference) => `replay (${mode}): ${difference}`);
}

function reference({ workspaceId }: TestWorkspace, runId: string): RunReference {
  return { workspaceId, runId, actionSlugs: null };
}

async function addChild(workspace: TestWorkspace, name: ChildName): Promise<string> {
  const outputSchema = { type: "object" as const, properties: { n: { type: "number" as const } } };
  const action = await addAction(workspace, { definition: renderChild(name), inputSchema: CHILD_SCHEMA, outputSchema });
  return action.slug;
}

async function judge(
  run: RunReference,
  model: WorkflowModel,
  prediction: Prediction,
  { service, isKilled }: PlayOptions,
): Promise<string[]> {
  const ended = await decideUntilEnded(run, model);
  if (prediction.status === "ended") {
    const { code, step_id: step } = ended.error ?? { code: null };
    const isPredicted = prediction.ends.some(
      (end) => end.status === ended.status && end.code === code && sameStep(end, step),
    );
    return isPredicted
      ? []
      : [`ended ${ended.status} ${code} at ${step}, not as one of ${JSON.stringify(prediction.ends)}`];
  }
  if (ended.status !== "succeeded") return [`ended ${ended.status} ${JSON.stringify(ended.error)}, not succeeded`];
  return [
    ...differs("output", ended.output, prediction.output),
    ...stepDifferences(ended, prediction.steps),
    ...(isKilled ? [] : attemptDifferences(service.attemptsOf(run.runId), prediction.attempts)),
  ];
}

/** A rejection has no step. */
function sameStep(end: PredictedEnd, step: string | undefined): boolean {
  return end.status === "cancelled" || step === end.step;
}

function stepDifferences(run: RunObject, predicted: Extract<Prediction, { steps: unknown }>["steps"]): string[] {
  const shown = new Map(run.steps.filter(({ iteration }) => iteration === null).map((step) => [step.step_id, step]));
  return [...predicted].flatMap(([id, { status, output }]) => {
    const step = shown.get(id);
    if (step === undefined) return id === "start" ? [] : [`${id} is not in the timeline, but ${status}`];
    if (step.status !== status) return [`${id} is ${step.status}, not ${status}`];
    return output === undefined ? [] : differs(`the output of ${id}`, comparable(step.output), comparable(output));
  });
}

/** Leaves out what no prediction knows: headers, who decided, and the end of a delay. */
function comparable(output: unknown): unknown {
  if (typeof output !== "object" || output === null || Array.isArray(output)) return output;
  const { headers, comment, decided_by, until, ...rest } = output as Record<string, unknown>;
  return Object.keys(rest).length === 0 ? null : rest;
}

function attemptDifferences(made: ReadonlyMap<string, number>, predicted: ReadonlyMap<string, number>): string[] {
  const sorted = (attempts: ReadonlyMap<string, number>) => [...attempts].map(([key, n]) => `${key}=${n}`).toSorted();
  return differs("the calls", sorted(made), sorted(predicted));
}

function differs(what: string, found: unknown, wanted: unknown): string[] {
  const [a, b] = [canonical(found), canonical(wanted)];
  return a === b ? [] : [`${what}: ${a}, not ${b}`];
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: Json) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** Decides each gate as its model says, until the run has ended. */
async function decideUntilEnded(run: RunReference, model: WorkflowModel): Promise<RunObject> {
  for (const end = performance.now() + DEADLINE_MS; performance.now() < end; await sleep(POLL_MS)) {
    const { run: shown } = await getRun(run.workspaceId, run.runId, {
      steps: "full",
      withEvents: false,
      actionSlugs: null,
    });
    if (isTerminal(shown.status)) return shown;
    const { rows } = await db().query("select id, node_id from approvals where run_id = $1 and status = 'pending'", [
      run.runId,
    ]);
    for (const { id, node_id: nodeId } of rows) {
      const step = model.nodes.find((node) => node.id === nodeId)?.step;
      const decision = step?.kind === "gate" ? step.decision : "approved";
      // The run can end on another path in the meantime.
      await decideRun(decisionOf(run, { approvalId: id, decision })).catch(() => undefined);
    }
  }
  throw new Error(`run ${run.runId} did not end`);
}
