"use client";

import { useEffect } from "react";
import { useOperation } from "@/components/api/operation-hooks";
import { useDraft, useDraftSession, useEditor, useTests } from "@/components/canvas/store/draft-context";
import { useRun } from "@/components/features/runs/use-run";

/** Renders nothing: passes updates of the displayed run to the cards and panels. */
export function FollowTest() {
  const runId = useTests((tests) => tests.run?.run_id ?? null);
  return (
    <>
      {runId === null ? null : <FollowRun key={runId} runId={runId} />}
      <RememberLastRun />
    </>
  );
}

function FollowRun({ runId }: { runId: string }) {
  const { tests } = useDraftSession();
  const { data: run } = useRun(runId, "full");
  useEffect(() => {
    if (run !== undefined && tests.getState().run?.run_id === run.run_id) tests.getState().hear(run);
  }, [run, tests]);
  return null;
}

/** Loads the values of the workflow's last run when a component that shows values is open. */
function RememberLastRun() {
  const { tests } = useDraftSession();
  const lastRunId = useDraft((draft) => draft.facts.last_run?.run_id ?? null);
  const isTestOpen = useTests((state) => state.isOpen);
  const isPanelOpen = useEditor((state) => state.isPanelOpen);
  const isWanted = lastRunId !== null && (isTestOpen || isPanelOpen);
  const { data: run } = useOperation("get_run_status", { run_id: lastRunId ?? "" }, { enabled: isWanted });
  useEffect(() => {
    if (run !== undefined) tests.getState().remember(run);
  }, [run, tests]);
  return null;
}
