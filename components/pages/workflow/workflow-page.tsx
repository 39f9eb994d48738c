"use client";

import { lazy } from "react";
import type { PublishPart } from "@/components/canvas/editor/lazy-parts";
import { WorkflowEditor } from "@/components/canvas/editor/workflow-editor";

const loadPublish = () => import("@/components/features/publish/publish-dialog");
const PUBLISH: PublishPart = {
  Dialog: lazy(() => loadPublish().then((m) => ({ default: m.PublishDialog }))),
  loads: [loadPublish],
};

/** The canvas of a workflow, and the dialog that publishes it. */
export function WorkflowPage({ workflowId }: { workflowId: string }) {
  return <WorkflowEditor workflowId={workflowId} publish={PUBLISH} />;
}
