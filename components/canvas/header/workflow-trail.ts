/** Leads from the page of a workflow back to the list. */
export const WORKFLOW_TRAIL = [{ label: "Workflows", href: "/workflows" }];
