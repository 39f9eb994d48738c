"use client";

import type { ApprovalPolicy } from "#lib/contract/action";
import { deployWorkflowInput } from "#lib/contract/inputs/workflow-inputs";
import type { PublishPreview } from "#lib/contract/publish";
import type { DeployResult } from "#lib/contract/workflow";
import { ClientError } from "@/components/api/client-error";
import { useOperationForm } from "@/components/api/use-operation-form";
import {
  type Acknowledged,
  isAcknowledged,
  isBreaking,
  wordToType,
} from "@/components/features/publish/acknowledgement";
import { type SlugCheck, useSlugCheck } from "@/components/features/publish/use-slug-check";

/** Refusals that mean: look again, the draft or the published version moved. */
const STALE_CODES: ReadonlySet<string> = new Set([
  "REVISION_CONFLICT",
  "BREAKING_SCHEMA_CHANGE",
  "PUBLISH_VALIDATION_FAILED",
]);

export type PublishFormState = ReturnType<typeof usePublishForm>;

interface PublishFormOptions {
  workflowId: string;
  /** Null while it is on its way. */
  preview: PublishPreview | null;
  /** What stands in the note before anything is typed. */
  note?: string;
  /** What the form was made from is out of date. */
  onStale: () => void;
  onPublished: (result: DeployResult) => void;
}

interface Values {
  slug: string;
  /** Null: the action's own, as it is. */
  approval_policy: ApprovalPolicy | null;
  note: string;
  acknowledged: Acknowledged;
}

/** What the publisher decides, and the call that carries it out. */
export function usePublishForm({ workflowId, preview, note = "", onStale, onPublished }: PublishFormOptions) {
  const start: Values = { slug: "", approval_policy: null, note, acknowledged: { isTicked: false, typed: "" } };
  const form = useOperationForm("deploy_workflow", {
    schema: deployWorkflowInput,
    start,
    toInput: (values) => inputOf(workflowId, preview, values),
    holds: (): boolean => obstacle !== null,
    onFailure: (error) => {
      if (error instanceof ClientError && STALE_CODES.has(error.code)) onStale();
    },
    invalidates: ["list_workflows", "list_actions", "get_action", "get_workflow", "get_trigger"],
    onSuccess: onPublished,
  });
  const slug = form.value("slug");
  const acknowledged = form.value("acknowledged");
  const slugCheck = useSlugCheck(slug, workflowId);
  /** The first thing that keeps the button from working, as what to do; null when it works. */
  const obstacle: string | null = preview === null ? "" : findObstacle(preview, slugCheck, acknowledged);
  const policy = form.value("approval_policy") ?? currentPolicy(preview);
  return { form, slug, slugCheck, policy, acknowledged, obstacle };
}

function inputOf(workflowId: string, preview: PublishPreview | null, { slug, approval_policy: chosen, note }: Values) {
  if (preview === null) return { workflow_id: workflowId };
  return {
    workflow_id: workflowId,
    ...(preview.source === "draft" ? { expected_revision: preview.draft_revision } : { version: preview.source }),
    ...(needsSlug(preview) ? { slug } : {}),
    ...(preview.type === "callable" ? { approval_policy: chosen ?? currentPolicy(preview) } : {}),
    ...(isBreaking(preview) ? { allow_breaking: true } : {}),
    ...(note.trim() === "" ? {} : { note: note.trim() }),
  };
}

function currentPolicy(preview: PublishPreview | null): ApprovalPolicy {
  return preview?.action?.approval_policy ?? "never";
}

function needsSlug(preview: PublishPreview): boolean {
  return preview.type === "callable" && preview.action === null;
}

function findObstacle(preview: PublishPreview, slugCheck: SlugCheck, acknowledged: Acknowledged): string | null {
  if (preview.problems.length > 0) return "Fix the problems above first.";
  if (needsSlug(preview) && slugCheck.kind !== "available") return "Choose a slug for the action.";
  if (isAcknowledged(preview, acknowledged)) return null;
  const word = wordToType(preview);
  return word === null ? "Confirm that callers may break." : `Type ${word} above: callers break.`;
}
