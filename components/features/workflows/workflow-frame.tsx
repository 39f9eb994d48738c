"use client";

import type { ReactNode } from "react";
import type { WorkflowDetailObject } from "#lib/contract/workflow/workflow";
import { useOperation } from "@/components/api/operation-hooks";
import { RunButton } from "@/components/features/actions/run-button";
import { WorkflowStateBadge } from "@/components/features/workflows/workflow-state-badge";
import { WorkflowTabs } from "@/components/shell/workflow-tabs";
import { PageHeader } from "@/components/ui/lists/page-header";
import { QueryView } from "@/components/ui/lists/query-view";

interface WorkflowFrameProps {
  workflowId: string;
  /** The name of the tab. */
  title: string;
  /** What could not be loaded, such as "the versions". */
  noun: string;
  actions?: ReactNode;
  skeleton: ReactNode;
  children: (workflow: WorkflowDetailObject) => ReactNode;
}

/** The frame of a workflow's pages besides the editor: its name and state, and its tabs. */
export function WorkflowFrame({ workflowId, title, noun, actions, skeleton, children }: WorkflowFrameProps) {
  const workflow = useOperation("get_workflow", { workflow_id: workflowId });
  const trail = [
    { label: "Workflows", href: "/workflows" },
    { label: workflow.data?.name ?? "Workflow", href: `/workflows/${workflowId}` },
  ];
  return (
    <>
      <PageHeader
        title={title}
        trail={trail}
        actions={
          <>
            {actions}
            {workflow.data === undefined ? null : <RunButton workflow={workflow.data} />}
          </>
        }
      >
        {workflow.data === undefined ? null : (
          <span className="hidden md:inline">
            <WorkflowStateBadge workflow={workflow.data} />
          </span>
        )}
      </PageHeader>
      <WorkflowTabs workflowId={workflowId} />
      <QueryView query={workflow} skeleton={skeleton} errorTitle={`Couldn't load ${noun}.`}>
        {children}
      </QueryView>
    </>
  );
}
