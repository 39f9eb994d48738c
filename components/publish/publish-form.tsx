"use client";

import { type FormEvent, useId, useState } from "react";
import type { ApprovalPolicy } from "#lib/contract/action";
import type { PublishPreview } from "#lib/contract/web";
import type { DeployResult, GraphProblem } from "#lib/contract/workflow";
import { ClientError } from "@/components/api/client-error";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { useDraftSession } from "@/components/canvas/store/draft-context";
import { ApprovalChoice } from "@/components/publish/approval-choice";
import { ChecksSection } from "@/components/publish/checks-section";
import { ContractSection } from "@/components/publish/contract-section";
import { SlugField } from "@/components/publish/slug-field";
import { useSlugCheck } from "@/components/publish/use-slug-check";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

interface PublishFormProps {
  title: string;
  preview: PublishPreview;
  onClose: () => void;
  onWalk: (problem: GraphProblem) => void;
  /** What the form was made from is out of date. */
  onStale: () => void;
  onPublished: (result: DeployResult) => void;
}

/** Refusals that mean: look again, the draft or the published version moved. */
const STALE_CODES: ReadonlySet<string> = new Set([
  "REVISION_CONFLICT",
  "BREAKING_SCHEMA_CHANGE",
  "PUBLISH_VALIDATION_FAILED",
]);

export function PublishForm({ title, preview, onClose, onWalk, onStale, onPublished }: PublishFormProps) {
  const session = useDraftSession();
  const formId = useId();
  const { workflow_id: workflowId } = session.draft.getState().facts;
  const [slug, setSlug] = useState("");
  const [policy, setPolicy] = useState<ApprovalPolicy>(preview.action?.approval_policy ?? "never");
  const [note, setNote] = useState("");
  const [isAcknowledged, setAcknowledged] = useState(false);
  const slugCheck = useSlugCheck(slug, workflowId);
  const isCallable = preview.type === "callable";
  const needsSlug = isCallable && preview.action === null;
  const isBreaking = preview.changes.some((change) => change.breaking);
  const deploy = useOperationMutation("deploy_workflow", {
    invalidates: ["list_workflows", "list_actions", "get_action", "get_workflow"],
    onSuccess: (result) => {
      onPublished(result);
      void session.refresh();
    },
  });
  const obstacle = findObstacle(preview, needsSlug && slugCheck.kind !== "available", isBreaking && !isAcknowledged);
  function submit(event: FormEvent) {
    event.preventDefault();
    if (obstacle !== null || deploy.isPending) return;
    deploy.mutate(
      {
        workflow_id: workflowId,
        expected_revision: preview.draft_revision,
        ...(needsSlug ? { slug } : {}),
        ...(isCallable ? { approval_policy: policy } : {}),
        ...(isBreaking ? { allow_breaking: true } : {}),
        ...(note.trim() === "" ? {} : { note: note.trim() }),
      },
      { onError: (error) => error instanceof ClientError && STALE_CODES.has(error.code) && onStale() },
    );
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      description={describeMoment(preview)}
      size="lg"
      footer={
        <PublishFooter
          label={title}
          formId={formId}
          obstacle={obstacle}
          error={deploy.error}
          isBusy={deploy.isPending}
          onCancel={onClose}
        />
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-6">
        <ChecksSection problems={preview.problems} onWalk={onWalk} />
        {isCallable ? <ContractSection preview={preview} /> : null}
        {isBreaking ? (
          <Checkbox
            label="Publish although callers break"
            description="Calls that fit the published contract may be refused from the moment this is live."
            isChecked={isAcknowledged}
            onChange={setAcknowledged}
          />
        ) : null}
        {isCallable ? (
          <SlugField slug={preview.action?.slug ?? null} typed={slug} onType={setSlug} check={slugCheck} />
        ) : null}
        {isCallable ? <ApprovalChoice value={policy} onChange={setPolicy} /> : null}
        <Field label="Note" hint="optional" description="What changed, for the version's history.">
          {(control) => (
            <Input {...control} maxLength={500} value={note} onChange={(event) => setNote(event.target.value)} />
          )}
        </Field>
      </form>
    </Dialog>
  );
}

interface PublishFooterProps {
  label: string;
  formId: string;
  obstacle: string | null;
  error: Error | null;
  isBusy: boolean;
  onCancel: () => void;
}

function PublishFooter({ label, formId, obstacle, error, isBusy, onCancel }: PublishFooterProps) {
  return (
    <>
      <p role={error === null ? undefined : "alert"} className="mr-auto self-center text-dense">
        {error === null ? (
          <span className="text-text-3">{obstacle}</span>
        ) : (
          <span className="text-err">{error.message}</span>
        )}
      </p>
      <Button onClick={onCancel}>Cancel</Button>
      <Button type="submit" form={formId} variant="primary" isBusy={isBusy} disabled={obstacle !== null}>
        {label}
      </Button>
    </>
  );
}

/** The first thing that keeps the button from working, as what to do. */
function findObstacle(preview: PublishPreview, lacksSlug: boolean, lacksAcknowledgement: boolean): string | null {
  if (preview.problems.length > 0) return "Fix the problems above first.";
  if (lacksSlug) return "Choose a slug for the action.";
  return lacksAcknowledgement ? "Confirm that callers may break." : null;
}

function describeMoment(preview: PublishPreview): string {
  if (preview.deployed_version === null) return "The first version goes live. Agents can call it from then on.";
  const next = preview.deployed_version + 1;
  return `Version ${next} replaces version ${preview.deployed_version}. Runs in flight finish on the version they began with.`;
}
