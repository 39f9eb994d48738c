"use client";

import { useId, useState } from "react";
import type { ApprovalPolicy } from "#lib/contract/action";
import type { PublishPreview } from "#lib/contract/publish";
import type { DeployResult } from "#lib/contract/workflow";
import { ClientError } from "@/components/api/client-error";
import { useOperationMutation } from "@/components/api/operation-hooks";
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

export interface PublishFormState {
  formId: string;
  slug: string;
  setSlug: (slug: string) => void;
  slugCheck: SlugCheck;
  policy: ApprovalPolicy;
  setPolicy: (policy: ApprovalPolicy) => void;
  note: string;
  setNote: (note: string) => void;
  acknowledged: Acknowledged;
  setAcknowledged: (acknowledged: Acknowledged) => void;
  /** The first thing that keeps the button from working, as what to do; null when it works. */
  obstacle: string | null;
  error: Error | null;
  isBusy: boolean;
  submit: () => void;
}

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

/** What the publisher decides, and the call that carries it out. */
export function usePublishForm(options: PublishFormOptions): PublishFormState {
  const { workflowId, preview, onStale, onPublished } = options;
  const formId = useId();
  const [slug, setSlug] = useState("");
  const [chosenPolicy, setPolicy] = useState<ApprovalPolicy | null>(null);
  const [note, setNote] = useState(options.note ?? "");
  const [acknowledged, setAcknowledged] = useState<Acknowledged>({ isTicked: false, typed: "" });
  const slugCheck = useSlugCheck(slug, workflowId);
  const deploy = useOperationMutation("deploy_workflow", {
    invalidates: ["list_workflows", "list_actions", "get_action", "get_workflow", "get_trigger"],
    onSuccess: onPublished,
  });
  const policy = chosenPolicy ?? preview?.action?.approval_policy ?? "never";
  const obstacle = preview === null ? "" : findObstacle(preview, slugCheck, acknowledged);
  function submit() {
    if (preview === null || obstacle !== null || deploy.isPending) return;
    deploy.mutate(
      {
        workflow_id: workflowId,
        ...(preview.source === "draft" ? { expected_revision: preview.draft_revision } : { version: preview.source }),
        ...(needsSlug(preview) ? { slug } : {}),
        ...(preview.type === "callable" ? { approval_policy: policy } : {}),
        ...(isBreaking(preview) ? { allow_breaking: true } : {}),
        ...(note.trim() === "" ? {} : { note: note.trim() }),
      },
      { onError: (error) => error instanceof ClientError && STALE_CODES.has(error.code) && onStale() },
    );
  }
  const decisions = { slug, setSlug, slugCheck, policy, setPolicy, note, setNote, acknowledged, setAcknowledged };
  return { formId, ...decisions, obstacle, error: deploy.error, isBusy: deploy.isPending, submit };
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
