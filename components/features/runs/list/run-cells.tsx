import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { RunObject } from "#lib/contract/run/run";
import type { RunCaller } from "#lib/contract/run/run-list";
import { formatInstant } from "#lib/support/format/format-moment";
import { DEFAULT_SETTINGS, type ListSettings, type RunListColumn } from "@/components/features/runs/list/list-settings";
import { previewInput } from "@/components/features/runs/list/preview-input";
import { RunDuration } from "@/components/features/runs/run-duration";
import { RunSubject } from "@/components/features/runs/run-subject";
import { warningCount } from "@/components/features/runs/run-warnings";
import { RelativeTime } from "@/components/words/relative-time";
import { RUN_SOURCE_WORDS } from "@/components/words/run-sources";
import { shortId } from "@/components/words/short-id";
import { useReader } from "@/components/words/use-reader";

/** How a list of runs shows its rows. */
export interface RowView extends ListSettings {
  /** Who started each run, by its id; empty until it is known or while the column is hidden. */
  callers: ReadonlyMap<string, RunCaller>;
}

export const DEFAULT_VIEW: RowView = { ...DEFAULT_SETTINGS, callers: new Map() };

interface Cell {
  className?: string;
  content: (run: RunObject, view: RowView) => ReactNode;
}

/** The cell of each column, apart from the link of the row. */
export const RUN_CELLS: Record<RunListColumn | "action", Cell> = {
  run: { className: "font-mono text-dense font-normal text-text-2", content: (run) => shortId(run.run_id) },
  action: { className: "truncate", content: (run) => <Subject run={run} /> },
  caller: {
    className: "max-w-44 truncate text-text-2",
    content: (run, { callers }) => <Caller run={run} caller={callers.get(run.run_id)} />,
  },
  input: { className: "truncate font-mono text-dense text-text-2", content: (run) => <InputPreview run={run} /> },
  source: { className: "text-text-2", content: (run) => RUN_SOURCE_WORDS[run.source] },
  release: { className: "font-mono text-dense", content: (run) => <Release run={run} /> },
  duration: { content: (run) => <RunDuration run={run} /> },
  created: { className: "text-text-2", content: (run, { times }) => <Created at={run.created_at} times={times} /> },
};

function Subject({ run }: { run: RunObject }) {
  return (
    <>
      <RunSubject run={run} />
      {run.warnings === undefined ? null : (
        <span className="ml-2 inline-flex align-middle text-warn" title={warningCount(run.warnings)}>
          <TriangleAlert aria-hidden className="size-3.5" strokeWidth={1.75} />
          <span className="sr-only">{warningCount(run.warnings)}</span>
        </span>
      )}
      {run.error === null ? null : (
        <span className="ml-3 hidden text-dense text-text-2 md:inline" title={run.error.message}>
          {run.error.message}
        </span>
      )}
    </>
  );
}

function Caller({ run, caller }: { run: RunObject; caller: RunCaller | undefined }) {
  if (caller === undefined) return null;
  if (caller.kind === "run") return "Another run";
  if (caller.name === null) return RUN_SOURCE_WORDS[run.source];
  return (
    <span title={caller.name}>
      {caller.name}
      {caller.prefix === null ? null : <span className="ml-2 font-mono text-dense text-text-3">{caller.prefix}</span>}
    </span>
  );
}

function InputPreview({ run }: { run: RunObject }) {
  const text = previewInput(run.input);
  return text === "" ? <span className="text-text-3">–</span> : <span title={text}>{text}</span>;
}

/** Only actions have releases; for other workflows, only tests run unpublished drafts. */
function Release({ run }: { run: RunObject }) {
  if (run.action_release_version !== null) return `v${run.action_release_version}`;
  return <span className="text-text-3">{run.workflow_version_id === null ? "Draft" : "–"}</span>;
}

/** Shows a moment as the reader chose: "3 min. ago", or exactly, in their time zone or in UTC. */
export function Created({ at, times }: { at: string; times: ListSettings["times"] }) {
  const reader = useReader();
  if (times === "relative") return <RelativeTime at={at} />;
  return (
    <time dateTime={at} className="max-sm:block max-sm:w-24 max-sm:text-dense max-sm:whitespace-normal">
      {formatInstant(at, times === "utc" ? { ...reader, timeZone: "UTC" } : reader)}
    </time>
  );
}
