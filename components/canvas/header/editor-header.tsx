"use client";

import { CircleDot, Play } from "lucide-react";
import { type RefObject, useState } from "react";
import { ProblemList } from "@/components/canvas/header/problem-list";
import { SaveStatus } from "@/components/canvas/header/save-status";
import { WORKFLOW_TRAIL } from "@/components/canvas/header/workflow-trail";
import { PresenceList } from "@/components/canvas/presence/presence-list";
import type { CanvasControls } from "@/components/canvas/store/canvas-controls";
import {
  useDraft,
  useDraftSession,
  useEditor,
  useEditorStore,
  useTests,
} from "@/components/canvas/store/draft-context";
import { RunButton } from "@/components/features/actions/run-button";
import { TriggerStatusChip } from "@/components/features/triggers/trigger-status-chip";
import { Button } from "@/components/ui/button";
import { Chip } from "@/components/ui/chip";
import { Kbd } from "@/components/ui/forms/kbd";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/lists/page-header";
import { Tooltip } from "@/components/ui/tooltip";

interface EditorHeaderProps {
  controls: RefObject<CanvasControls>;
  onPublish: () => void;
}

export function EditorHeader({ controls, onPublish }: EditorHeaderProps) {
  const isReadOnly = useEditor((state) => state.isReadOnly);
  return (
    <PageHeader
      title={<WorkflowName />}
      trail={WORKFLOW_TRAIL}
      actions={
        <>
          <PresenceList />
          {isReadOnly ? <Chip>Read-only</Chip> : <SaveStatus />}
          <ProblemList controls={controls} />
          {isReadOnly ? null : <TestButton />}
          <RunPublished />
          {isReadOnly ? null : <PublishButton onPublish={onPublish} />}
        </>
      }
    >
      <DraftChips />
    </PageHeader>
  );
}

function RunPublished() {
  const workflow = useDraft((draft) => draft.facts);
  return <RunButton workflow={workflow} />;
}

/** Dashed for a draft, solid for a live version. */
function DraftChips() {
  const version = useDraft((draft) => draft.facts.deployed_version);
  const workflowId = useDraft((draft) => draft.facts.workflow_id);
  const isPaused = useDraft((draft) => draft.facts.trigger?.status === "paused");
  const hasChanges = useHasChanges();
  return (
    <span className="hidden shrink-0 items-center gap-1.5 md:inline-flex">
      {version === null || hasChanges ? (
        <Chip isDraft>{version === null ? "Draft" : "Unpublished changes"}</Chip>
      ) : null}
      {version === null ? null : (
        <Link href={`/workflows/${workflowId}/versions`} title="All versions" className="rounded-full">
          <Chip tone="ok" icon={CircleDot}>
            Live v{version}
          </Chip>
        </Link>
      )}
      {isPaused ? <TriggerStatusChip status="paused" /> : null}
    </span>
  );
}

/**
 * Returns the label of the publish button (contract, Workflows and versions): Activate for the first deploy, Publish
 * Action afterwards.
 */
export function usePublishLabel(): string {
  return useDraft((draft) => draft.facts.deployed_version) === null ? "Activate" : "Publish Action";
}

/** Unsaved edits count as changes. */
function useHasChanges(): boolean {
  return useDraft((draft) => draft.facts.has_unpublished_changes || draft.status.kind !== "saved");
}

/** Returns why there is nothing to publish now, or null when there is. */
export function usePublishRefusal(): string | null {
  const version = useDraft((draft) => draft.facts.deployed_version);
  const hasChanges = useHasChanges();
  const isEmpty = useEditor((state) => state.definition.nodes.length === 0);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  if (isReadOnly) return "You need the editor role or higher to publish.";
  if (isEmpty) return "Add a step first.";
  return version !== null && !hasChanges ? `Nothing has changed since version ${version}.` : null;
}

function TestButton() {
  const { tests } = useDraftSession();
  const isOpen = useTests((state) => state.isOpen);
  function toggle() {
    if (isOpen) tests.getState().open(false);
    else tests.getState().openInput();
  }
  return (
    <Button aria-label="Test" aria-pressed={isOpen} onClick={toggle}>
      <Play aria-hidden className="size-3.5" />
      <span className="hidden sm:inline">Test</span>
    </Button>
  );
}

function PublishButton({ onPublish }: { onPublish: () => void }) {
  const label = usePublishLabel();
  const refusal = usePublishRefusal();
  const button = (
    // Not `disabled`, because that would hide the reason from keyboard users.
    <Button
      variant="primary"
      aria-disabled={refusal !== null || undefined}
      onClick={() => refusal === null && onPublish()}
    >
      {label}
      <span aria-hidden className="hidden xl:inline">
        <Kbd isInverse>⌘⇧P</Kbd>
      </span>
    </Button>
  );
  return refusal === null ? button : <Tooltip content={refusal}>{button}</Tooltip>;
}

/** The workflow's name, edited in place. It is saved with the draft and can't be empty. */
function WorkflowName() {
  const editor = useEditorStore();
  const name = useEditor((state) => state.name);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const [typed, setTyped] = useState<string | null>(null);
  if (isReadOnly) return name;
  return (
    <input
      data-held
      aria-label="Workflow name"
      value={typed ?? name}
      maxLength={200}
      autoComplete="off"
      onChange={(event) => setTyped(event.target.value)}
      onBlur={() => {
        if (typed !== null && typed.trim() !== "") editor.getState().rename(typed.trim());
        setTyped(null);
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.currentTarget.blur();
        if (event.key === "Escape") setTyped(null);
      }}
      // As wide as its text, so that the following elements stay next to it.
      className="h-8 w-48 max-w-[36vw] truncate rounded-2 border border-transparent bg-transparent px-1.5 font-semibold [field-sizing:content] supports-[field-sizing:content]:w-auto hover:border-border focus:border-border-strong focus:bg-surface"
    />
  );
}
