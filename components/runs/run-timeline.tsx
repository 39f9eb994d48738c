"use client";

import { useMemo, useState } from "react";
import { isTerminal, type RunObject } from "#lib/contract/run";
import { useOperation } from "@/components/api/operation-hooks";
import { deriveTimeline, type TimelineRow } from "@/components/runs/derive-timeline";
import { foldLoops } from "@/components/runs/fold-loops";
import { RunPanel } from "@/components/runs/run-panel";
import { StepPanel } from "@/components/runs/step-panel";
import { TimelineTable } from "@/components/runs/timeline-table";
import { useNow } from "@/components/runs/use-now";
import { useRanDefinition } from "@/components/runs/use-ran-definition";
import { optionalTextCodec } from "@/components/ui/url-codecs";
import { useUrlState } from "@/components/ui/use-url-state";

const CODECS = { step: optionalTextCodec };

/** The waterfall, and beside it what went into the chosen step and what came out. */
export function RunTimeline({ run }: { run: RunObject }) {
  const isLive = !isTerminal(run.status);
  const nowMs = useNow(isLive);
  const definition = useRanDefinition(run);
  const events = useAttemptEvents(run);
  const timeline = useMemo(
    () => deriveTimeline({ run, definition, events, nowMs: isLive ? nowMs : 0 }),
    [run, definition, events, isLive, nowMs],
  );
  const [{ step: chosen }, setUrl] = useUrlState(CODECS);
  const [openLoops, setOpenLoops] = useState<ReadonlySet<string>>(NO_LOOPS);
  const rows = useMemo(() => foldLoops(timeline.rows, openLoops, chosen), [timeline, openLoops, chosen]);
  function select(key: string) {
    const folded = rows.find((row) => row.key === key && row.kind === "folded")?.loopKey;
    if (folded == null) return setUrl({ step: key });
    setOpenLoops(new Set([...openLoops, folded]));
    setUrl({ step: folded });
  }
  const selected =
    timeline.rows.find((row) => row.key === chosen) ?? firstFailed(run, timeline.rows) ?? timeline.rows[0];
  return (
    <div className="grid flex-1 grid-cols-1 content-start lg:grid-cols-[minmax(0,1fr)_minmax(320px,420px)]">
      <TimelineTable
        timeline={{ ...timeline, rows }}
        runStatus={run.status}
        selectedKey={selected?.key ?? ""}
        onSelect={select}
        nowMs={nowMs}
      />
      <aside
        aria-label="Details"
        className="flex min-w-0 flex-col border-t border-border bg-surface lg:sticky lg:top-bar lg:h-[calc(100dvh-var(--h-bar))] lg:overflow-y-auto lg:border-t-0 lg:border-l"
      >
        {selected === undefined || selected.kind === "run" || selected.kind === "queued" ? (
          <RunPanel run={run} />
        ) : (
          <StepPanel key={selected.key} row={selected} run={run} />
        )}
      </aside>
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

/** The journal, asked for only when a step was tried more than once. */
function useAttemptEvents(run: RunObject) {
  const isRetried = run.steps.some((step) => step.attempt > 1);
  const answer = useOperation(
    "get_run_status",
    { run_id: run.run_id, include: "events", steps: "summary" },
    { enabled: isRetried, refetchInterval: isRetried && !isTerminal(run.status) ? 3_000 : false },
  );
  return answer.data?.events ?? NO_EVENTS;
}

const NO_LOOPS: ReadonlySet<string> = new Set();
const NO_EVENTS: NonNullable<RunObject["events"]> = [];
