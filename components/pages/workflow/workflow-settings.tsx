"use client";

import { useRouter } from "next/navigation";
import { lazy, type ReactNode, Suspense } from "react";
import { LIMITS } from "#lib/contract/limits";
import type { WorkflowDetailObject } from "#lib/contract/workflow/workflow";
import { formatCount, formatNumber } from "#lib/support/format/format-number";
import { useWorkflowActs } from "@/components/features/workflows/use-workflow-acts";
import { WorkflowDialogs } from "@/components/features/workflows/workflow-dialogs";
import { WorkflowFrame } from "@/components/features/workflows/workflow-frame";
import { useHasRole } from "@/components/shell/session-context";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Facts } from "@/components/ui/lists/facts";
import { LoadingLabel, Skeleton } from "@/components/ui/lists/skeleton";
import { useEarly } from "@/components/ui/use-early";

/** The form with its validation, and the trigger with its deliveries, load together with the workflow. */
const loadNames = () => import("@/components/features/workflows/workflow-names-form");
const loadTrigger = () => import("@/components/features/triggers/live-trigger");
const WorkflowNamesForm = lazy(() => loadNames().then((m) => ({ default: m.WorkflowNamesForm })));
const LiveTrigger = lazy(() => loadTrigger().then((m) => ({ default: m.LiveTrigger })));
const EARLY = [loadNames, loadTrigger];

/** Everything about a workflow that is not its drawing, in one place. */
export function WorkflowSettings({ workflowId }: { workflowId: string }) {
  useEarly(EARLY);
  return (
    <WorkflowFrame workflowId={workflowId} title="Settings" noun="the settings" skeleton={<SettingsSkeleton />}>
      {(workflow) => (
        <Suspense fallback={<SettingsSkeleton />}>
          <Sections workflow={workflow} />
        </Suspense>
      )}
    </WorkflowFrame>
  );
}

function Sections({ workflow }: { workflow: WorkflowDetailObject }) {
  const router = useRouter();
  const canEdit = useHasRole("editor");
  const { act, question, closeQuestion } = useWorkflowActs();
  return (
    <div className="flex max-w-2xl flex-col gap-8 p-4 sm:py-6">
      <Section title="General">
        {canEdit ? null : <p className="text-text-2">Editors, admins and owners can change these.</p>}
        <WorkflowNamesForm key={`${workflow.name} ${workflow.description}`} workflow={workflow} canEdit={canEdit} />
      </Section>
      <Section title="Tags">
        <div className="flex flex-wrap items-center gap-2">
          {workflow.tags.length === 0 ? <span className="text-text-2">No tags.</span> : null}
          {workflow.tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
          {canEdit ? (
            <Button size="sm" onClick={() => act("tag", [workflow])}>
              Edit tags…
            </Button>
          ) : null}
        </div>
      </Section>
      <PublishedPart workflow={workflow} />
      <Section title="Failure alerts">
        <p className="text-text-2">
          Alert rules can cover every workflow or only one.{" "}
          <Link href="/settings/events" className="link">
            Events and alerts
          </Link>
        </p>
      </Section>
      <Section title="Limits">
        <LimitFacts workflow={workflow} />
      </Section>
      {canEdit ? (
        <Section title="Copy and export">
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => act("duplicate", [workflow])}>Duplicate</Button>
            <Button onClick={() => act("export", [workflow])}>Export as JSON</Button>
          </div>
        </Section>
      ) : null}
      {canEdit ? <DangerZone workflow={workflow} onAct={(kind) => act(kind, [workflow])} /> : null}
      <WorkflowDialogs
        question={question}
        onClose={closeQuestion}
        onArchived={closeQuestion}
        onDeleted={() => router.push("/workflows")}
      />
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-3">
      <h2 className="text-title font-semibold">{title}</h2>
      {children}
    </section>
  );
}

/** How the published workflow starts: the action that callers use, or its trigger. */
function PublishedPart({ workflow }: { workflow: WorkflowDetailObject }) {
  const { action, trigger, workflow_id: workflowId } = workflow;
  if (action !== null) {
    return (
      <Section title="Action">
        <Facts
          facts={[
            {
              label: "Slug",
              value: (
                <Link href={`/actions/${action.slug}`} className="link font-mono">
                  {action.slug}
                </Link>
              ),
            },
            { label: "Status", value: <span className="capitalize">{action.status}</span> },
            {
              label: "Approval policy",
              value: action.approval_policy === "always" ? "Every run waits for approval" : "Runs start at once",
            },
          ]}
        />
        <p className="text-text-2">
          To change the status or the examples, open the{" "}
          <Link href={`/actions/${action.slug}`} className="link">
            action
          </Link>
          . You can change the approval policy when you publish. The slug never changes.
        </p>
      </Section>
    );
  }
  if (trigger !== null) {
    return (
      <Section title="Trigger">
        <LiveTrigger workflowId={workflowId} />
      </Section>
    );
  }
  return (
    <Section title={workflow.type === "callable" ? "Action" : "Trigger"}>
      <p className="text-text-2">Not published yet. Publish the draft in the editor, so that runs can start.</p>
    </Section>
  );
}

function LimitFacts({ workflow }: { workflow: WorkflowDetailObject }) {
  const { nodes, edges } = workflow.definition;
  const seconds = (ms: number) => formatCount(ms / 1_000, "second");
  return (
    <>
      <Facts
        facts={[
          { label: "Steps", value: `${formatNumber(nodes.length)} of ${formatNumber(LIMITS.graphNodes)}` },
          { label: "Lines", value: `${formatNumber(edges.length)} of ${formatNumber(LIMITS.graphEdges)}` },
          { label: "Time per step", value: seconds(LIMITS.stepTimeoutMs) },
          { label: "Time per run", value: `${seconds(LIMITS.pipelineTimeoutMs)}, not counting waits` },
        ]}
      />
      <p className="text-text-2">
        <Link href="/docs/reference/limits" className="link">
          All limits
        </Link>
      </p>
    </>
  );
}

interface DangerZoneProps {
  workflow: WorkflowDetailObject;
  onAct: (kind: "archive" | "restore" | "delete") => void;
}

function DangerZone({ workflow, onAct }: DangerZoneProps) {
  const isArchived = workflow.archived_at !== null;
  return (
    <Section title="Danger zone">
      <div className="divide-y divide-border rounded-3 border border-err-bg">
        <DangerRow
          text={
            isArchived
              ? "Restore the workflow. Its action or trigger stays paused until you resume it."
              : "Archive the workflow, so that nothing starts it. You can restore it later."
          }
        >
          {isArchived ? (
            <Button onClick={() => onAct("restore")}>Restore</Button>
          ) : (
            <Button onClick={() => onAct("archive")}>Archive…</Button>
          )}
        </DangerRow>
        <DangerRow text="Delete the workflow, its draft and its versions. You can still view its runs.">
          <Button variant="danger" onClick={() => onAct("delete")}>
            Delete…
          </Button>
        </DangerRow>
      </div>
    </Section>
  );
}

function DangerRow({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-3 px-4 py-3">
      <p className="min-w-56 flex-1 text-text-2">{text}</p>
      {children}
    </div>
  );
}

function SettingsSkeleton() {
  return (
    <div className="flex max-w-2xl flex-col gap-4 p-4 sm:py-6">
      <LoadingLabel>Loading the settings</LoadingLabel>
      <Skeleton className="h-8 w-full" />
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-16 w-full rounded-3" />
    </div>
  );
}
