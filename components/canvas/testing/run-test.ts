import { callOperation } from "@/components/api/call-operation";
import { ClientError } from "@/components/api/client-error";
import { analyse } from "@/components/canvas/document/analysis";
import { exampleTexts, readTestInput, testSchemaOf } from "@/components/canvas/samples/test-input";
import type { DraftSession } from "@/components/canvas/store/open-draft";
import type { Pin } from "@/components/canvas/store/test-store";
import { asRequest, pinsForStep, pinsFromStep } from "@/components/canvas/testing/choose-pins";
import { toFormErrors } from "@/components/features/actions/try-form-values";
import { toast } from "@/components/ui/toast";

interface TestWish {
  /** Only this step and what is before it. */
  untilStep?: string;
  /** Instead of the pins that people made. */
  pins?: Readonly<Record<string, Pin>>;
}

/** Saves the draft and runs it, or a part of it; what prevents that is shown in the test panel. */
export async function runTest(session: DraftSession, { untilStep, pins }: TestWish = {}): Promise<void> {
  const { editor, tests } = session;
  const state = tests.getState();
  const { definition, isReadOnly } = editor.getState();
  state.open(true);
  if (isReadOnly || state.isStarting || definition.nodes.length === 0) return;
  const nowMs = Date.now();
  const texts = state.texts ?? exampleTexts(definition, nowMs);
  const { input, errors } = readTestInput(definition, texts, nowMs);
  state.showErrors(errors);
  if (Object.keys(errors).length > 0) return;
  state.setTexts(texts, state.textsFromRunId);
  state.starting();
  const nodeIds = definition.nodes.map((node) => node.id);
  try {
    if (!(await session.saveNow())) throw new Error("The draft could not be saved, so it was not run.");
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
  tests.getState().refuse(error instanceof Error ? error : new Error("That did not work. Try again."));
  if (error instanceof ClientError && error.code === "INPUT_VALIDATION_FAILED") {
    tests.getState().showErrors(toFormErrors(testSchemaOf(editor.getState().definition), error.fieldErrors));
  }
}

/** Runs one step with the outputs that earlier tests gave; without them it says what is missing and offers the way there. */
export async function testStep(session: DraftSession, nodeId: string): Promise<void> {
  const plan = pinsForStep(analyse(session.editor.getState().definition), nodeId, session.tests.getState());
  if ("pins" in plan) return runTest(session, { untilStep: nodeId, pins: plan.pins });
  toast.message(plan.refusal, {
    action: { label: "Run to here", onClick: () => void runTest(session, { untilStep: nodeId }) },
  });
}

/** Runs a step and everything after it with the outputs that earlier tests gave for the rest. */
export async function runFrom(session: DraftSession, nodeId: string): Promise<void> {
  const plan = pinsFromStep(analyse(session.editor.getState().definition), nodeId, session.tests.getState());
  if ("pins" in plan) return runTest(session, { pins: plan.pins });
  toast.message(plan.refusal, { action: { label: "Run the draft", onClick: () => void runTest(session) } });
}
