/** Breadcrumb from a workflow's page back to the list. */
export const WORKFLOW_TRAIL = [{ label: "Workflows", href: "/workflows" }];
