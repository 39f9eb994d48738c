"use client";

import { isTerminal, type RunObject } from "#lib/contract/run/run";
import { useOperation } from "@/components/api/operation-hooks";
import { RunStatusLink } from "@/components/features/runs/run-status-link";
import { Link } from "@/components/ui/link";
import { shortId } from "@/components/words/short-id";

/** Up to this many replays of a run are listed; more are rare. */
const SHOWN = 5;
const POLL_MS = 3_000;

/** Links the run that this run replays, and the replays of this run. */
export function RunLineage({ run }: { run: RunObject }) {
  const list = useOperation(
    "list_runs",
    { resume_from_run_id: run.run_id, limit: SHOWN },
    {
      enabled: isTerminal(run.status),
      refetchInterval: (page) => (page?.data.some(({ status }) => !isTerminal(status)) ? POLL_MS : false),
    },
  );
  const replays = list.data?.data ?? [];
  if (run.resume_from_run_id === null && replays.length === 0) return null;
  return (
    <nav
      aria-label="Replays"
      className="flex flex-wrap items-center gap-x-6 gap-y-1 border-b border-border px-4 py-2 text-text-2"
    >
      {run.resume_from_run_id === null ? null : (
        <span>
          Replay of{" "}
          <Link href={`/runs/${run.resume_from_run_id}`} className="link font-mono text-dense">
            {shortId(run.resume_from_run_id)}
          </Link>
        </span>
      )}
      {replays.length === 0 ? null : (
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          Replayed:
          {replays.map((replay) => (
            <RunStatusLink key={replay.run_id} run={replay} />
          ))}
          {list.data?.has_more ? "and earlier" : null}
        </span>
      )}
    </nav>
  );
}
