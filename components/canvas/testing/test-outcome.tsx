"use client";

import type { RefObject } from "react";
import type { StepItem } from "#lib/contract/run/journal";
import { isTerminal, type RunObject } from "#lib/contract/run/run";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { ClientError } from "@/components/api/client-error";
import type { CanvasControls } from "@/components/canvas/store/canvas-controls";
import { useDraft, useEditor, useEditorStore, useTests } from "@/components/canvas/store/draft-context";
import { LightLine } from "@/components/canvas/view/light-line";
import { ProblemButton, useGoToProblem } from "@/components/canvas/view/problem-button";
import { JsonView } from "@/components/features/json/json-view";
import { RunErrorCard } from "@/components/features/runs/run-error-card";
import { arrangeSteps } from "@/components/features/runs/timeline/arrange-steps";
import { Link } from "@/components/ui/link";
import { shownStatusOf } from "@/components/words/status";

/** The number of shown rows. A loop may have 1,000 items, and the run's own page shows all of them. */
const ROWS_SHOWN = 200;

interface TestOutcomeProps {
  controls: RefObject<CanvasControls>;
}

/** Shows a test's run: its steps as they happen, and its result. Before the first test, explains what a test is. */
export function TestOutcome({ controls }: TestOutcomeProps) {
  const run = useTests((tests) => tests.run);
  const refusal = useTests((tests) => tests.refusal);
  return (
    <div className="flex min-w-0 flex-col gap-3 p-4 @lg:overflow-y-auto">
      {refusal === null ? null : <Refusal refusal={refusal} controls={controls} />}
      {run === null ? refusal === null ? <WhatIsATest /> : null : <RunOutcome run={run} controls={controls} />}
    </div>
  );
}

function WhatIsATest() {
  const slug = useDraft((draft) => draft.facts.action?.slug ?? null);
  return (
    <div className="flex max-w-xl flex-col gap-2 text-text-2">
      <p>
        <span className="font-medium text-text">A test runs the draft for real.</span> Steps call their services, and
        the test counts as a run. Pin a step's output to test later steps without calling the service again.
      </p>
      <p>
        <span className="font-medium text-text">A dry run calls nothing.</span> It checks the input against the
        published action and records the call.{" "}
        {slug === null ? (
          "Publish the workflow to try one."
        ) : (
          <>
            To start one, open{" "}
            <Link className="link" href={`/actions/${slug}?tab=try`}>
              {slug}
            </Link>
            .
          </>
        )}
      </p>
    </div>
  );
}

function RunOutcome({ run, controls }: TestOutcomeProps & { run: RunObject }) {
  const untilStep = useTests((tests) => tests.untilStep);
  return (
    <>
      {run.steps.length === 0 && !isTerminal(run.status) ? (
        <p className="text-text-2">Waiting for a worker.</p>
      ) : (
        <StepRows run={run} controls={controls} />
      )}
      {run.error === null ? null : <RunErrorCard error={run.error} />}
      {run.output === null || untilStep !== null ? null : <JsonView value={run.output} label="output" />}
    </>
  );
}

function StepRows({ run, controls }: TestOutcomeProps & { run: RunObject }) {
  // In nested loops, the inner item doesn't identify a step, so the key is the order in which the steps started.
  const arranged = arrangeSteps(run.steps);
  const keys = new Map(run.steps.map((step, at) => [step, at]));
  return (
    <ol aria-label="Steps of this test" className="flex flex-col divide-y divide-border rounded-3 border border-border">
      {arranged.slice(0, ROWS_SHOWN).map(({ step, depth }) => (
        <StepRow key={keys.get(step)} step={step} depth={depth} controls={controls} />
      ))}
      {arranged.length > ROWS_SHOWN ? (
        <li className="px-3 py-1.5 text-text-2">
          {arranged.length - ROWS_SHOWN} more in{" "}
          <Link className="link" href={`/runs/${run.run_id}`}>
            the run
          </Link>
        </li>
      ) : null}
    </ol>
  );
}

function StepRow({ step, depth, controls }: TestOutcomeProps & { step: StepItem; depth: number }) {
  const editor = useEditorStore();
  const isSelected = useEditor((state) => state.selectedNodeIds.includes(step.step_id));
  const isKnown = useEditor((state) => state.definition.nodes.some((node) => node.id === step.step_id));
  const { duration_ms: durationMs, attempt, iteration } = step;
  return (
    <li>
      <button
        type="button"
        disabled={!isKnown}
        aria-current={isSelected ? "step" : undefined}
        onClick={() => {
          editor.getState().openOutput(step.step_id);
          controls.current.showNode(step.step_id);
        }}
        className="flex w-full items-center gap-3 py-1.5 pr-3 text-left -outline-offset-2 hover:bg-sunken aria-[current]:bg-accent-weak"
        style={{ paddingLeft: 12 + depth * 16 }}
      >
        <span className="min-w-0 flex-1 truncate">
          {step.name}
          {iteration === null ? null : <span className="text-text-3"> · item {iteration.index + 1}</span>}
        </span>
        <span className="shrink-0 text-dense">
          <LightLine light={{ status: shownStatusOf(step), durationMs, attempt, items: null, taken: null }} />
        </span>
      </button>
    </li>
  );
}

/** Shows why the draft was not run, with links to the problems. */
function Refusal({ refusal, controls }: TestOutcomeProps & { refusal: Error }) {
  const goTo = useGoToProblem(controls);
  const problems = refusal instanceof ClientError && Array.isArray(refusal.details) ? refusal.details : [];
  const isGraph = refusal instanceof ClientError && refusal.code === "PUBLISH_VALIDATION_FAILED";
  return (
    <div role="alert" className="rounded-3 border border-border">
      <p className="rounded-t-3 bg-err-bg px-3 py-2 font-medium text-err">{refusal.message}</p>
      {isGraph ? (
        <ul className="p-1">
          {(problems as GraphProblem[]).map((problem) => (
            <li key={`${problem.code} ${problem.node_id ?? ""} ${problem.field ?? ""} ${problem.message}`}>
              <ProblemButton problem={problem} onChoose={() => goTo(problem)} />
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
