"use client";

import type { ApprovalPolicy } from "#lib/contract/action/action";
import type { PublishPreview } from "#lib/contract/action/publish";
import type { DeployResult } from "#lib/contract/workflow/workflow";
import { deployWorkflowInput } from "#lib/contract/workflow/workflow-inputs";
import { ClientError } from "@/components/api/client-error";
import { useOperationForm } from "@/components/api/use-operation-form";
import {
  type Acknowledged,
  isAcknowledged,
  isBreaking,
  wordToType,
} from "@/components/features/publish/acknowledgement";
import { type SlugCheck, useSlugCheck } from "@/components/features/publish/use-slug-check";

/** Refusals that call for a refetch because the draft or the published version changed. */
const STALE_CODES: ReadonlySet<string> = new Set([
  "REVISION_CONFLICT",
  "BREAKING_SCHEMA_CHANGE",
  "PUBLISH_VALIDATION_FAILED",
]);

export type PublishFormState = ReturnType<typeof usePublishForm>;

interface PublishFormOptions {
  workflowId: string;
  /** Null while it is loading. */
  preview: PublishPreview | null;
  /** The note before the publisher types one. */
  note?: string;
  /** Called when the data that the form shows is out of date. */
  onStale: () => void;
  onPublished: (result: DeployResult) => void;
}

interface Values {
  slug: string;
  /** Null keeps the action's current approval policy. */
  approval_policy: ApprovalPolicy | null;
  note: string;
  acknowledged: Acknowledged;
}

/** Holds what the publisher decides, and the call that publishes. */
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
  /** Returns the first reason why the button is disabled, phrased as what to do, or null if it works. */
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
  return word === null ? "Confirm that callers may break." : `Type ${word} above to confirm that callers break.`;
}
