"use client";

import { lazy, Suspense, useState } from "react";
import type { WorkflowDetailObject } from "#lib/contract/workflow/workflow";
import { LoadVersionDialog } from "@/components/features/publish/load-version-dialog";
import { VersionComparisonView } from "@/components/features/publish/version-comparison";
import { useHasRole } from "@/components/shell/session-context";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Chip } from "@/components/ui/chip";
import { RelativeTime } from "@/components/words/relative-time";

const PromoteDialog = lazy(() =>
  import("@/components/features/publish/promote-dialog").then((m) => ({ default: m.PromoteDialog })),
);

type Version = WorkflowDetailObject["versions"][number];

interface Chosen {
  act: "promote" | "load";
  version: number;
}

/** Lists the versions, newest first: who published each, when, with which note, and what it changed. */
export function VersionList({ workflow }: { workflow: WorkflowDetailObject }) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const { workflow_id: workflowId, versions } = workflow;
  return (
    <>
      <ol aria-label="Versions" className="divide-y divide-border rounded-3 border border-border">
        {versions.map((version, index) => (
          <VersionRow
            key={version.version}
            workflowId={workflowId}
            version={version}
            before={versions[index + 1]?.version ?? null}
            onChoose={(act) => setChosen({ act, version: version.version })}
          />
        ))}
      </ol>
      <Suspense>
        {chosen?.act === "promote" ? (
          <PromoteDialog workflowId={workflowId} version={chosen.version} onClose={() => setChosen(null)} />
        ) : null}
      </Suspense>
      {chosen?.act === "load" ? (
        <LoadVersionDialog workflow={workflow} version={chosen.version} onClose={() => setChosen(null)} />
      ) : null}
    </>
  );
}

interface VersionRowProps {
  workflowId: string;
  version: Version;
  /** The number of the previous version; null for the first. */
  before: number | null;
  onChoose: (act: Chosen["act"]) => void;
}

function VersionRow({ workflowId, version, before, onChoose }: VersionRowProps) {
  const canEdit = useHasRole("editor");
  const { version: number, status, created_at: createdAt, note, published_by: publishedBy } = version;
  const isLive = status === "deployed";
  return (
    <li className="flex flex-col gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-mono font-medium">v{number}</span>
        {isLive ? <Chip tone="ok">Live</Chip> : <Badge>Archived</Badge>}
        <span className="text-text-2">
          {publishedBy ?? "Published"}, <RelativeTime at={createdAt} />
        </span>
        {canEdit ? (
          <span className="ml-auto flex flex-wrap gap-2">
            <Button size="sm" variant="ghost" onClick={() => onChoose("load")}>
              Load into the draft…
            </Button>
            {isLive ? null : (
              <Button size="sm" onClick={() => onChoose("promote")}>
                Publish again…
              </Button>
            )}
          </span>
        ) : null}
      </div>
      {note === null ? null : <p className="[overflow-wrap:anywhere]">{note}</p>}
      {before === null ? (
        <p className="text-dense text-text-3">The first version.</p>
      ) : (
        <ChangesSince workflowId={workflowId} from={before} to={number} />
      )}
    </li>
  );
}

/** Loaded when it is opened: the list is read more often than the differences. */
function ChangesSince({ workflowId, from, to }: { workflowId: string; from: number; to: number }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="cursor-pointer text-dense text-text-2">Changes since version {from}</summary>
      {isOpen ? (
        <div className="pt-3 pb-1">
          <VersionComparisonView workflowId={workflowId} from={from} to={to} />
        </div>
      ) : null}
    </details>
  );
}
