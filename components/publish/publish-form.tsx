"use client";

import { type FormEvent, useEffect, useId, useRef, useState } from "react";
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
import { type SlugCheck, useSlugCheck } from "@/components/publish/use-slug-check";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

/** Refusals that mean: look again, the draft or the published version moved. */
const STALE_CODES: ReadonlySet<string> = new Set([
  "REVISION_CONFLICT",
  "BREAKING_SCHEMA_CHANGE",
  "PUBLISH_VALIDATION_FAILED",
]);

export interface PublishFormState {
  formId: string;
  slug: string;
  setSlug: (slug: string) => void;
  slugCheck: SlugCheck;
  policy: ApprovalPolicy;
  setPolicy: (policy: ApprovalPolicy) => void;
  note: string;
  setNote: (note: string) => void;
  isAcknowledged: boolean;
  setAcknowledged: (isAcknowledged: boolean) => void;
  /** The first thing that keeps the button from working, as what to do; null when it works. */
  obstacle: string | null;
  error: Error | null;
  isBusy: boolean;
  submit: () => void;
}

interface PublishFormOptions {
  /** Null while it is on its way. */
  preview: PublishPreview | null;
  /** What the form was made from is out of date. */
  onStale: () => void;
  onPublished: (result: DeployResult) => void;
}

/** What the publisher decides, and the call that carries it out. */
export function usePublishForm({ preview, onStale, onPublished }: PublishFormOptions): PublishFormState {
  const session = useDraftSession();
  const formId = useId();
  const { workflow_id: workflowId } = session.draft.getState().facts;
  const [slug, setSlug] = useState("");
  const [chosenPolicy, setPolicy] = useState<ApprovalPolicy | null>(null);
  const [note, setNote] = useState("");
  const [isAcknowledged, setAcknowledged] = useState(false);
  const slugCheck = useSlugCheck(slug, workflowId);
  const deploy = useOperationMutation("deploy_workflow", {
    invalidates: ["list_workflows", "list_actions", "get_action", "get_workflow", "get_trigger"],
    onSuccess: (result) => {
      onPublished(result);
      void session.refresh();
    },
  });
  const policy = chosenPolicy ?? preview?.action?.approval_policy ?? "never";
  const obstacle = preview === null ? "" : findObstacle(preview, slugCheck, isAcknowledged);
  function submit() {
    if (preview === null || obstacle !== null || deploy.isPending) return;
    deploy.mutate(
      {
        workflow_id: workflowId,
        expected_revision: preview.draft_revision,
        ...(needsSlug(preview) ? { slug } : {}),
        ...(preview.type === "callable" ? { approval_policy: policy } : {}),
        ...(isBreaking(preview) ? { allow_breaking: true } : {}),
        ...(note.trim() === "" ? {} : { note: note.trim() }),
      },
      { onError: (error) => error instanceof ClientError && STALE_CODES.has(error.code) && onStale() },
    );
  }
  const decisions = { slug, setSlug, slugCheck, policy, setPolicy, note, setNote, isAcknowledged, setAcknowledged };
  return { formId, ...decisions, obstacle, error: deploy.error, isBusy: deploy.isPending, submit };
}

function needsSlug(preview: PublishPreview): boolean {
  return preview.type === "callable" && preview.action === null;
}

function isBreaking(preview: PublishPreview): boolean {
  return preview.changes.some((change) => change.breaking);
}

function findObstacle(preview: PublishPreview, slugCheck: SlugCheck, isAcknowledged: boolean): string | null {
  if (preview.problems.length > 0) return "Fix the problems above first.";
  if (needsSlug(preview) && slugCheck.kind !== "available") return "Choose a slug for the action.";
  return isBreaking(preview) && !isAcknowledged ? "Confirm that callers may break." : null;
}

interface PublishBodyProps {
  form: PublishFormState;
  preview: PublishPreview;
  onWalk: (problem: GraphProblem) => void;
}

export function PublishBody({ form, preview, onWalk }: PublishBodyProps) {
  const isCallable = preview.type === "callable";
  const body = useRef<HTMLFormElement>(null);
  // The dialog opened before there was anything to decide; what is to be done first gets the focus now.
  useEffect(() => {
    if (body.current?.contains(document.activeElement)) return;
    body.current?.querySelector<HTMLElement>("button,input:not([readonly])")?.focus();
  }, []);
  function submit(event: FormEvent) {
    event.preventDefault();
    form.submit();
  }
  return (
    <form ref={body} id={form.formId} noValidate onSubmit={submit} className="flex flex-col gap-6">
      <ChecksSection problems={preview.problems} onWalk={onWalk} />
      {isCallable ? <ContractSection preview={preview} /> : null}
      {isBreaking(preview) ? (
        <Checkbox
          label="Publish although callers break"
          description="Calls that fit the published contract may be refused from the moment this is live."
          isChecked={form.isAcknowledged}
          onChange={form.setAcknowledged}
        />
      ) : null}
      {isCallable ? (
        <SlugField slug={preview.action?.slug ?? null} typed={form.slug} onType={form.setSlug} check={form.slugCheck} />
      ) : null}
      {isCallable ? <ApprovalChoice value={form.policy} onChange={form.setPolicy} /> : null}
      <Field label="Note" hint="optional" description="What changed, for the version's history.">
        {(control) => (
          <Input
            {...control}
            maxLength={500}
            value={form.note}
            onChange={(event) => form.setNote(event.target.value)}
          />
        )}
      </Field>
    </form>
  );
}

interface PublishFooterProps {
  form: PublishFormState;
  label: string;
  onCancel: () => void;
}

export function PublishFooter({ form, label, onCancel }: PublishFooterProps) {
  return (
    <>
      <p role={form.error === null ? undefined : "alert"} className="mr-auto self-center text-dense">
        {form.error === null ? (
          <span className="text-text-3">{form.obstacle}</span>
        ) : (
          <span className="text-err">{form.error.message}</span>
        )}
      </p>
      <Button onClick={onCancel}>Cancel</Button>
      <Button type="submit" form={form.formId} variant="primary" isBusy={form.isBusy} disabled={form.obstacle !== null}>
        {label}
      </Button>
    </>
  );
}
