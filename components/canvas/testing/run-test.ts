import { callOperation } from "@/components/api/call-operation";
import { ClientError } from "@/components/api/client-error";
import { analyse } from "@/components/canvas/document/analysis";
import { exampleTexts, readTestInput, testSchemaOf } from "@/components/canvas/samples/test-input";
import type { DraftSession } from "@/components/canvas/store/open-draft";
import { fullNodeId } from "@/components/canvas/store/panel-slice";
import type { Pin } from "@/components/canvas/store/test-store";
import { asRequest, pinsForStep, pinsFromStep } from "@/components/canvas/testing/choose-pins";
import { toFormErrors } from "@/components/features/actions/try-form-values";
import { toast } from "@/components/ui/toast";

interface TestWish {
  /** Runs only this step and the steps before it. */
  untilStep?: string;
  /** Pins that replace the user's own pins. */
  pins?: Readonly<Record<string, Pin>>;
}

/**
 * Saves the draft and runs it, or a part of it. The test panel shows why it can't run. A step's workspace shows the
 * step's output itself, so there the test panel opens only to show why it can't run.
 */
export async function runTest(session: DraftSession, { untilStep, pins }: TestWish = {}): Promise<void> {
  const { editor, tests } = session;
  const state = tests.getState();
  const { definition, isReadOnly } = editor.getState();
  if (fullNodeId(editor.getState()) === null) state.open(true);
  if (isReadOnly || state.isStarting || definition.nodes.length === 0) return;
  editor.getState().showAllProblems();
  const nowMs = Date.now();
  const texts = state.texts ?? exampleTexts(definition, nowMs);
  const { input, errors } = readTestInput(definition, texts, nowMs);
  state.showErrors(errors);
  if (Object.keys(errors).length > 0) return state.open(true);
  state.setTexts(texts, state.textsFromRunId);
  state.starting();
  const nodeIds = definition.nodes.map((node) => node.id);
  try {
    if (!(await session.saveNow())) throw new Error("The draft wasn't run because it couldn't be saved.");
    const run = await callOperation("test_workflow", {
      workflow_id: session.draft.getState().facts.workflow_id,
      input,
      ...asRequest(pins ?? state.pins, new Set(nodeIds)),
      ...(untilStep === undefined ? {} : { until_step: untilStep }),
      ...(state.textsFromRunId === null ? {} : { from_run_id: state.textsFromRunId }),
      expected_revision: session.revision(),
    });
    state.begin(run, untilStep ?? null, nodeIds);
  } catch (error) {
    refuse(session, error);
  }
}

function refuse({ editor, tests }: DraftSession, error: unknown): void {
  tests.getState().open(true);
  tests.getState().refuse(error instanceof Error ? error : new Error("That didn't work. Try again."));
  if (error instanceof ClientError && error.code === "INPUT_VALIDATION_FAILED") {
    tests.getState().showErrors(toFormErrors(testSchemaOf(editor.getState().definition), error.fieldErrors));
  }
}

/**
 * Runs one step with the outputs of earlier tests. If outputs are missing, says which ones and offers to run up to the
 * step.
 */
export async function testStep(session: DraftSession, nodeId: string): Promise<void> {
  const plan = pinsForStep(analyse(session.editor.getState().definition), nodeId, session.tests.getState());
  if ("pins" in plan) return runTest(session, { untilStep: nodeId, pins: plan.pins });
  toast.message(plan.refusal, {
    action: { label: "Run to here", onClick: () => void runTest(session, { untilStep: nodeId }) },
  });
}

/** Runs a step and everything after it, with the outputs of earlier tests for all other steps. */
export async function runFrom(session: DraftSession, nodeId: string): Promise<void> {
  const plan = pinsFromStep(analyse(session.editor.getState().definition), nodeId, session.tests.getState());
  if ("pins" in plan) return runTest(session, { pins: plan.pins });
  toast.message(plan.refusal, { action: { label: "Run the draft", onClick: () => void runTest(session) } });
}
