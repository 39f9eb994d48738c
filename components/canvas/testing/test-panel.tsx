"use client";

import { Ban, Play, X } from "lucide-react";
import type { RefObject } from "react";
import { isTerminal } from "#lib/contract/run/run";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { DockResizer } from "@/components/canvas/docks/dock-resizer";
import { useDockSize } from "@/components/canvas/docks/dock-size";
import type { CanvasControls } from "@/components/canvas/store/canvas-controls";
import { useDraftSession, useEditor, useTests } from "@/components/canvas/store/draft-context";
import { runTest } from "@/components/canvas/testing/run-test";
import { TestInputForm } from "@/components/canvas/testing/test-input-form";
import { TestOutcome } from "@/components/canvas/testing/test-outcome";
import { RunDuration } from "@/components/features/runs/run-duration";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/forms/kbd";
import { IconButton } from "@/components/ui/icon-button";
import { Link } from "@/components/ui/link";
import { RunStatusChip } from "@/components/words/status-chip";

/** The panel below the drawing: the input of a test and its result, step by step. */
export function TestPanel({ controls }: { controls: RefObject<CanvasControls> }) {
  const isOpen = useTests((tests) => tests.isOpen);
  const [height, setHeight] = useDockSize("test");
  if (!isOpen) return null;
  return (
    <section
      aria-label="Test"
      style={{ height }}
      className="@container relative z-10 flex min-h-40 flex-col border-t border-border bg-app"
    >
      <DockResizer dock="test" size={height} onResize={setHeight} />
      <TestHeader />
      <div className="grid min-h-0 flex-1 grid-cols-1 overflow-y-auto @lg:grid-cols-[minmax(240px,340px)_minmax(0,1fr)] @lg:overflow-hidden">
        <TestInputForm />
        <TestOutcome controls={controls} />
      </div>
    </section>
  );
}

function TestHeader() {
  const session = useDraftSession();
  const run = useTests((tests) => tests.run);
  const isStarting = useTests((tests) => tests.isStarting);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  return (
    <header className="flex h-11 shrink-0 items-center gap-3 border-b border-border pr-2 pl-4">
      <h2 className="font-semibold">Test</h2>
      <span aria-live="polite" className="flex min-w-0 items-center gap-2">
        {run === null ? null : <RunStatusChip status={run.status} />}
      </span>
      {run === null ? null : (
        <span className="hidden min-w-0 items-center gap-3 text-text-2 sm:flex">
          <RunDuration run={run} />
          <Link href={`/runs/${run.run_id}`} className="link truncate">
            Open the run
          </Link>
        </span>
      )}
      <span className="ml-auto flex items-center gap-1.5">
        {run !== null && !isTerminal(run.status) ? <CancelTest runId={run.run_id} /> : null}
        {isReadOnly ? null : (
          <Button isBusy={isStarting} onClick={() => void runTest(session)}>
            {isStarting ? null : <Play aria-hidden className="size-3.5" />}
            Run the draft
            <span aria-hidden className="hidden sm:inline">
              <Kbd>⌘↵</Kbd>
            </span>
          </Button>
        )}
        <IconButton
          icon={X}
          label="Close the test panel"
          onClick={() => {
            session.tests.getState().open(false);
            session.tests.getState().clear();
          }}
        />
      </span>
    </header>
  );
}

function CancelTest({ runId }: { runId: string }) {
  const cancel = useOperationMutation("cancel_run", { invalidates: ["get_run_status"] });
  return (
    <Button isBusy={cancel.isPending} onClick={() => cancel.mutate({ run_id: runId })}>
      {cancel.isPending ? null : <Ban aria-hidden className="size-3.5" />}
      Cancel
    </Button>
  );
}
