"use client";

import { isTerminal, type RunObject } from "#lib/contract/run/run";
import { useOperation } from "@/components/api/operation-hooks";
import { RunStatusLink } from "@/components/features/runs/run-status-link";

const POLL_MS = 1_000;

/** Shows how the run of a template goes, until it ends. */
export function FirstRun({ run }: { run: RunObject }) {
  const { data = run } = useOperation(
    "get_run_status",
    { run_id: run.run_id },
    { refetchInterval: (current) => (current && isTerminal(current.status) ? false : POLL_MS) },
  );
  return (
    <p role="status" className="mt-1 flex flex-wrap items-center gap-x-2">
      Its first run: <RunStatusLink run={data} />
    </p>
  );
}
