interface EditorPlace {
  workflowId: string;
  /** The run whose values the editor shows. */
  runId?: string | undefined;
  /** The step to select. */
  stepId?: string | undefined;
}

/** Returns the address of a workflow's editor, with a run's values at the steps. */
export function editorAddress({ workflowId, runId, stepId }: EditorPlace): string {
  const query = [
    ...(runId === undefined ? [] : [`run=${encodeURIComponent(runId)}`]),
    ...(stepId === undefined ? [] : [`node=${encodeURIComponent(stepId)}`]),
  ].join("&");
  return `/workflows/${workflowId}${query === "" ? "" : `?${query}`}`;
}
