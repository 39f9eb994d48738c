"use client";

import { FastForward, Pin, Play, StepForward } from "lucide-react";
import type { ReactNode } from "react";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { isEnd } from "@/components/canvas/document/branches-of";
import { useDraftSession, useEditor, useTests } from "@/components/canvas/store/draft-context";
import type { KnownResult } from "@/components/canvas/store/test-store";
import { pinOf } from "@/components/canvas/testing/choose-pins";
import { PinEditor } from "@/components/canvas/testing/pin-editor";
import { runFrom, runTest, testStep } from "@/components/canvas/testing/run-test";
import { LightLine } from "@/components/canvas/view/light-line";
import { JsonView } from "@/components/features/json/json-view";
import { RunErrorCard } from "@/components/features/runs/run-error-card";
import { StepConsole } from "@/components/features/runs/step-console";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/forms/kbd";
import { isStarted, shownStatusOf } from "@/components/words/status";

interface StepResultProps {
  node: GraphNode;
  /** The name that expressions use for the step. */
  name: string;
}

/** Shows a step's last input and output, with buttons to test it. */
export function StepResult({ node, name }: StepResultProps) {
  const result = useTests((tests) => tests.results[node.id]);
  const pin = useTests((tests) => tests.pins[node.id]);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  return (
    <section aria-label="Last result" className="flex flex-col gap-3">
      {isReadOnly ? null : <TryButtons node={node} />}
      <RunningLine nodeId={node.id} />
      {pin === undefined || isReadOnly ? null : <PinEditor key={node.id} nodeId={node.id} pin={pin} />}
      {result === undefined ? (
        <p className="text-text-2">{pin === undefined ? "No result yet. Test the step to see its output." : null}</p>
      ) : (
        <ResultView result={result} name={name}>
          {isReadOnly || pin !== undefined || !canBePinned(node) ? null : <PinButton result={result} />}
        </ResultView>
      )}
    </section>
  );
}

/** Says that a test is on its way to the step or executes it. The result is shown below. */
function RunningLine({ nodeId }: { nodeId: string }) {
  const isStarting = useTests((tests) => tests.isStarting);
  const light = useTests((tests) => {
    const own = tests.lights[nodeId];
    return own !== undefined && isStarted(own.status) ? own : undefined;
  });
  return (
    <div role="status" className="text-dense empty:hidden">
      {isStarting ? "Starting the test…" : light === undefined ? null : <LightLine light={light} />}
    </div>
  );
}

/**
 * Returns false for the entry step, whose output is the test input, and for the end step, whose output is the run's
 * output.
 */
function canBePinned(node: GraphNode): boolean {
  return STEP_KINDS[node.type].hasInput && !isEnd(node);
}

function TryButtons({ node }: { node: GraphNode }) {
  const session = useDraftSession();
  const isStarting = useTests((tests) => tests.isStarting);
  const hasInput = STEP_KINDS[node.type].hasInput;
  return (
    <div className="flex flex-wrap gap-2">
      {hasInput ? (
        <Button disabled={isStarting} onClick={() => void testStep(session, node.id)}>
          <Play aria-hidden className="size-3.5" />
          Test this step
          <span aria-hidden>
            <Kbd>⌘⇧↵</Kbd>
          </span>
        </Button>
      ) : null}
      <Button disabled={isStarting} onClick={() => void runTest(session, { untilStep: node.id })}>
        <StepForward aria-hidden className="size-3.5" />
        Run to here
      </Button>
      {hasInput ? (
        <Button disabled={isStarting} onClick={() => void runFrom(session, node.id)}>
          <FastForward aria-hidden className="size-3.5" />
          Run from here
        </Button>
      ) : null}
    </div>
  );
}

function PinButton({ result }: { result: KnownResult }) {
  const { tests } = useDraftSession();
  const pin = pinOf(result);
  if (pin === null) return null;
  return (
    <Button size="sm" variant="ghost" onClick={() => tests.getState().pin(result.step.step_id, pin)}>
      <Pin aria-hidden className="size-3.5" />
      Pin
    </Button>
  );
}

function ResultView({ result: { step }, name, children }: { result: KnownResult; name: string; children: ReactNode }) {
  const { status, duration_ms: durationMs, attempt, iteration } = step;
  return (
    <>
      <div className="flex min-h-control-sm items-center gap-3 text-dense">
        <LightLine light={{ status: shownStatusOf(step), durationMs, attempt, items: null, taken: null }} />
        {iteration === null ? null : <span className="text-text-3">latest: item {iteration.index + 1}</span>}
        <span className="ml-auto">{children}</span>
      </div>
      {step.error === null ? null : <RunErrorCard error={step.error} />}
      {status === "completed" ? (
        <JsonView value={step.output} label="output" isTruncated={step.truncated} expressionRoot={name} />
      ) : null}
      {step.console === undefined ? null : <StepConsole lines={step.console} />}
      {status === "skipped" ? (
        <p className="text-text-2">
          {step.skip_reason === "disabled"
            ? "This step was disabled, so the run bypassed it."
            : "A condition skipped this step."}
        </p>
      ) : (
        <details>
          <summary className="rounded-1 py-1 font-medium">Input</summary>
          <JsonView value={step.input} label="input" isTruncated={step.truncated} />
        </details>
      )}
    </>
  );
}
