import { findWorkspaceSession } from "#lib/api/auth/page-session";
import { findRunSubject } from "#lib/domain/runs/read/find-run-subject";
import { findWorkflowName } from "#lib/domain/workflows/find-workflow-name";

/** Returns the name of the workflow, so that the tabs of several workflows differ. */
export async function titleOfWorkflow(workflowId: string): Promise<string> {
  const session = await findWorkspaceSession();
  return (session && (await findWorkflowName(session.workspace.workspace_id, workflowId))) ?? "Workflow";
}

/**
 * Returns what the run executes and the end of its id: the start is its time, which runs of the same minute share.
 */
export async function titleOfRun(runId: string): Promise<string> {
  const session = await findWorkspaceSession();
  const subject = session && (await findRunSubject(session.workspace.workspace_id, runId));
  return `${subject ?? "Run"} ${runId.slice(-4)}`;
}
