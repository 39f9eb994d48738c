"use client";

import { clsx } from "clsx";
import { lazy, type ReactNode, Suspense, useMemo, useState } from "react";
import { isTerminal, type RunObject } from "#lib/contract/run/run";
import type { RunGraphObject } from "#lib/contract/wire/web";
import { editorAddress } from "@/components/features/runs/editor-address";
import { useRunGraph } from "@/components/features/runs/graph/use-run-graph";
import { ReplayFromStep } from "@/components/features/runs/replay/replay-from-step";
import { deriveTimeline, type TimelineRow } from "@/components/features/runs/timeline/derive-timeline";
import { foldLoops } from "@/components/features/runs/timeline/fold-loops";
import { StepPanel } from "@/components/features/runs/timeline/step-panel";
import { TimelineTable } from "@/components/features/runs/timeline/timeline-table";
import { TimelineZoomButtons } from "@/components/features/runs/timeline/timeline-zoom-buttons";
import { useTimelineView } from "@/components/features/runs/timeline/use-timeline-view";
import { useMoreSteps } from "@/components/features/runs/use-more-steps";
import { LargeRunNote } from "@/components/pages/run/large-run-note";
import { RunPanel } from "@/components/pages/run/run-panel";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { ShowMore } from "@/components/ui/lists/show-more";
import { Skeleton } from "@/components/ui/lists/skeleton";
import { choiceCodec, optionalTextCodec } from "@/components/ui/url-codecs";
import { useUrlState } from "@/components/ui/use-url-state";
import { useNow } from "@/components/words/use-now";

const RunGraph = lazy(() =>
  import("@/components/features/runs/graph/run-graph").then((m) => ({ default: m.RunGraph })),
);

const SHOWN = ["timeline", "graph"] as const;
const CODECS = { show: choiceCodec(SHOWN, "timeline") };
const STEP_CODECS = { step: optionalTextCodec };

/** The waterfall or the graph, next to the input and output of the selected step. */
export function RunTimeline({ run }: { run: RunObject }) {
  const { run: loaded, more } = useMoreSteps(run);
  return <LoadedTimeline run={loaded} more={<ShowMore query={more} />} />;
}

function LoadedTimeline({ run, more }: { run: RunObject; more: ReactNode }) {
  const isLive = !isTerminal(run.status);
  const nowMs = useNow(isLive);
  const graph = useRunGraph(run);
  // A dry run reaches no step, and none was meant to run.
  const definition = run.dry_run ? null : (graph?.definition ?? null);
  const attempts = graph?.attempts ?? NO_ATTEMPTS;
  const timeline = useMemo(
    () => deriveTimeline({ run, definition, attempts, nowMs: isLive ? nowMs : 0 }),
    [run, definition, attempts, isLive, nowMs],
  );
  const isDeleted = graph?.is_deleted ?? false;
  const [{ show }, setUrl] = useUrlState(CODECS);
  const [chosen, choose] = useChosenStep();
  const [openLoops, setOpenLoops] = useState<ReadonlySet<string>>(NO_LOOPS);
  const rows = useMemo(() => foldLoops(timeline.rows, openLoops, chosen), [timeline, openLoops, chosen]);
  const zoom = useTimelineView(timeline);
  function select(key: string) {
    const folded = rows.find((row) => row.key === key && row.kind === "folded")?.loopKey;
    const row = rows.find((candidate) => candidate.key === key);
    if (row !== undefined) zoom.reveal(row);
    if (folded == null) return choose(key);
    setOpenLoops(new Set([...openLoops, folded]));
    choose(folded);
  }
  const selected =
    timeline.rows.find((row) => row.key === chosen) ?? firstFailed(run, timeline.rows) ?? timeline.rows[0];
  return (
    <div className="grid flex-1 grid-cols-1 content-start lg:grid-cols-[minmax(0,1fr)_minmax(320px,420px)]">
      <div className="min-w-0">
        <ShownChoice shown={show} onChange={(next) => setUrl({ show: next })}>
          {show === "timeline" ? <TimelineZoomButtons zoom={zoom} selected={selected} /> : null}
        </ShownChoice>
        <LargeRunNote run={run} />
        {show === "timeline" ? (
          <TimelineTable
            timeline={{ ...timeline, rows }}
            runStatus={run.status}
            selectedKey={selected?.key ?? ""}
            onSelect={select}
            nowMs={nowMs}
            zoom={zoom}
          />
        ) : graph === null ? (
          <GraphSkeleton />
        ) : (
          <Suspense fallback={<GraphSkeleton />}>
            <RunGraph
              run={run}
              graph={graph}
              selectedId={selected?.step?.step_id ?? selected?.key ?? null}
              selectedStep={chosen === null ? null : (selected?.step ?? null)}
              onSelect={(nodeId, path) => choose(keyOfNode(timeline.rows, nodeId, path))}
            />
          </Suspense>
        )}
        {more}
      </div>
      <aside
        aria-label="Details"
        className="flex min-w-0 flex-col border-t border-border bg-surface lg:sticky lg:top-bar lg:h-[calc(100dvh-var(--h-bar))] lg:overflow-y-auto lg:border-t-0 lg:border-l"
      >
        {selected === undefined || selected.kind === "run" || selected.kind === "queued" ? (
          <RunPanel run={run} graph={graph} />
        ) : (
          <StepPanel
            key={selected.key}
            row={selected}
            run={run}
            isDeleted={isDeleted}
            actions={isDeleted ? null : <StepActions row={selected} run={run} />}
          />
        )}
      </aside>
    </div>
  );
}

function StepActions({ row, run }: { row: TimelineRow; run: RunObject }) {
  return (
    <>
      <OpenInEditor row={row} run={run} />
      <ReplayFromStep row={row} run={run} />
    </>
  );
}

/** Opens the editor at a step, with the values of the run. A step that failed has this link at its error. */
function OpenInEditor({ row: { step }, run }: { row: TimelineRow; run: RunObject }) {
  if (step === null || step.error !== null) return null;
  return (
    <Button asChild size="sm" variant="ghost">
      <Link href={editorAddress({ workflowId: run.workflow_id, runId: run.run_id, stepId: step.step_id })}>
        Open in editor
      </Link>
    </Button>
  );
}

/** The row that the address names, or the row just selected: the address follows a moment later. */
function useChosenStep(): [string | null, (key: string) => void] {
  const [{ step }, setUrl] = useUrlState(STEP_CODECS);
  const [pending, setPending] = useState<{ key: string; before: string | null } | null>(null);
  const choose = (key: string) => {
    setPending({ key, before: step });
    setUrl({ step: key });
  };
  return [pending !== null && pending.before === step ? pending.key : step, choose];
}

/**
 * Returns the row of a node. In a loop that is the item at the path, or the item that most needs attention; an
 * unreached node has its own row.
 */
function keyOfNode(rows: readonly TimelineRow[], nodeId: string, path: string | null): string {
  const own = rows.filter((row) => row.step?.step_id === nodeId);
  const asked = path === null ? undefined : own.find((row) => row.step?.iteration?.path === path);
  if (asked !== undefined) return asked.key;
  const loud = own.find((row) => row.status !== "completed" && row.status !== "skipped");
  return (loud ?? own[0])?.key ?? nodeId;
}

interface ShownChoiceProps {
  shown: (typeof SHOWN)[number];
  onChange: (shown: (typeof SHOWN)[number]) => void;
  /** What goes with the one that is shown. */
  children: ReactNode;
}

function ShownChoice({ shown, onChange, children }: ShownChoiceProps) {
  return (
    <div className="flex h-10 items-center gap-2 border-b border-border px-4">
      <fieldset className="flex items-center gap-1">
        <legend className="sr-only">Show the run as</legend>
        {SHOWN.map((option) => (
          <button
            key={option}
            type="button"
            aria-pressed={option === shown}
            onClick={() => onChange(option)}
            className={clsx(
              "h-7 rounded-2 px-2.5",
              option === shown ? "bg-sunken font-medium dark:bg-raised" : "text-text-2 hover:text-text",
            )}
          >
            {option === "timeline" ? "Timeline" : "Graph"}
          </button>
        ))}
      </fieldset>
      {children}
    </div>
  );
}

function GraphSkeleton() {
  return (
    <div className="p-4">
      <Skeleton className="h-[60dvh] w-full" />
    </div>
  );
}

/** The step that ended the run. */
function firstFailed(run: RunObject, rows: readonly TimelineRow[]): TimelineRow | undefined {
  if (run.error?.step_id === undefined) return undefined;
  return rows.find(
    (row) => row.step?.step_id === run.error?.step_id && (row.status === "failed" || row.status === "timed_out"),
  );
}

const NO_LOOPS: ReadonlySet<string> = new Set();
const NO_ATTEMPTS: RunGraphObject["attempts"] = [];
