"use client";

import { History, X } from "lucide-react";
import { useDeferredValue, useEffect, useMemo, useRef } from "react";
import type { RunObject } from "#lib/contract/run/run";
import type { RunGraphObject } from "#lib/contract/wire/web";
import { compareDefinitions } from "#lib/core/graph/compare/compare-definitions";
import { formatRelative } from "#lib/support/format/format-relative";
import { useOperation } from "@/components/api/operation-hooks";
import { textsOf } from "@/components/canvas/samples/test-input";
import { useDraft, useDraftSession, useEditor, useTests } from "@/components/canvas/store/draft-context";
import type { TestStore } from "@/components/canvas/store/test-store";
import { describeDifference } from "@/components/canvas/testing/describe-difference";
import { pinRun } from "@/components/canvas/testing/pin-run";
import { useRun } from "@/components/features/runs/use-run";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";
import { Link } from "@/components/ui/link";
import { toast } from "@/components/ui/toast";
import { shortId } from "@/components/words/short-id";
import { RunStatusChip } from "@/components/words/status-chip";

/**
 * Shows the values of an earlier run at the steps of the draft: its lights on the cards, and its inputs and outputs in
 * the panel. Says how the draft differs from the executed version.
 */
export function RunBar({ runId }: { runId: string }) {
  const { tests } = useDraftSession();
  const workflowId = useDraft((draft) => draft.facts.workflow_id);
  const { data: run, isError } = useRun(runId, "full");
  const { data: graph } = useOperation("get_run_graph", { run_id: runId }, { staleTime: Number.POSITIVE_INFINITY });
  const isForeign = run !== undefined && run.workflow_id !== workflowId;
  const isRefused = isError || isForeign;
  useEffect(() => {
    if (isRefused) {
      toast.error(isForeign ? "That run belongs to another workflow." : "That run can't be read.");
      closeRun(tests);
    }
  }, [isRefused, isForeign, tests]);
  const isReady = run !== undefined && graph !== undefined && !isRefused;
  const wasShown = useRef(false);
  useEffect(() => {
    // Runs once: later states arrive like those of a test, and a test that the user starts replaces the run.
    if (!isReady || wasShown.current) return;
    wasShown.current = true;
    showRun(tests, run, graph);
  }, [isReady, tests, run, graph]);
  if (!isReady) return null;
  return <ShownRun run={run} graph={graph} onShow={() => showRun(tests, run, graph)} />;
}

function showRun(tests: TestStore, run: RunObject, graph: RunGraphObject): void {
  const { begin, hear } = tests.getState();
  begin(
    run,
    null,
    graph.definition.nodes.map(({ id }) => id),
  );
  hear(run);
}

function closeRun(tests: TestStore): void {
  tests.getState().openRun(null);
  const address = new URL(window.location.href);
  address.searchParams.delete("run");
  window.history.replaceState(window.history.state, "", address);
}

interface ShownRunProps {
  run: RunObject;
  graph: RunGraphObject;
  onShow: () => void;
}

function ShownRun({ run, graph, onShow }: ShownRunProps) {
  const session = useDraftSession();
  const { tests } = session;
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const isShown = useTests((state) => state.run?.run_id === run.run_id);
  const version = graph.version === null ? "a draft" : `version ${graph.version}`;
  return (
    <section
      aria-label="Run in the editor"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-border bg-accent-weak px-4 py-2"
    >
      <History aria-hidden className="size-4 shrink-0 text-text-2" strokeWidth={1.75} />
      <p className="flex min-w-56 flex-1 flex-wrap items-center gap-x-2 gap-y-1">
        <span>
          Values of run{" "}
          <Link href={`/runs/${run.run_id}`} className="link font-mono">
            {shortId(run.run_id)}
          </Link>{" "}
          of {version}, {formatRelative(Date.parse(run.created_at), Date.now())}.
        </span>
        <RunStatusChip status={run.status} />
        <Difference graph={graph} version={version} />
      </p>
      {isShown ? null : (
        <Button size="sm" onClick={onShow}>
          Show its values again
        </Button>
      )}
      {isReadOnly ? null : (
        <>
          <Button
            size="sm"
            onClick={() => {
              tests.getState().setTexts(textsOf(session.editor.getState().definition, run.input), run.run_id);
              tests.getState().open(true);
            }}
          >
            Use as test input
          </Button>
          <Button size="sm" onClick={() => toast.message(pinRun(session, run))}>
            Pin outputs
          </Button>
        </>
      )}
      <IconButton icon={X} label="Close the run" onClick={() => closeRun(tests)} />
    </section>
  );
}

/** Compares after the drawing is rendered, so that typing never waits for the comparison. */
function Difference({ graph, version }: { graph: RunGraphObject; version: string }) {
  const workflowId = useDraft((draft) => draft.facts.workflow_id);
  const definition = useDeferredValue(useEditor((state) => state.definition));
  const words = useMemo(
    () => describeDifference(compareDefinitions(graph.definition, definition)),
    [graph, definition],
  );
  if (words === null) return <span className="text-text-2">The draft is the same.</span>;
  return (
    <span className="text-text-2">
      The draft differs from {version}: {words}.{" "}
      {graph.version === null ? null : (
        <Link href={`/workflows/${workflowId}/versions?from=${graph.version}&to=draft`} className="link">
          Compare
        </Link>
      )}
    </span>
  );
}
