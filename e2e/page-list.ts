/**
 * Each page of a signed-in user, with a text that shows that its data has loaded. every-page.spec.ts opens all of them.
 * `{slug}`, `{workflow_id}`, and `{run_id}` are those of a called action.
 */
export const SIGNED_IN_PAGES = [
  { path: "/workflows?state=live", sign: "Live v" },
  { path: "/workflows/{workflow_id}", sign: "No problems" },
  { path: "/actions?q={slug}", sign: "{slug}" },
  { path: "/actions/{slug}?tab=overview", sign: "Input from callers" },
  { path: "/actions/{slug}?tab=call", sign: "Errors" },
  { path: "/actions/{slug}?tab=try", sign: "The result appears here." },
  { path: "/actions/{slug}?tab=schema", sign: "As JSON Schema" },
  { path: "/actions/{slug}?tab=releases", sign: "The first version" },
  { path: "/actions/{slug}?tab=runs", sign: "All runs of {slug}" },
  { path: "/templates", sign: "Qualify a lead" },
  { path: "/workflows/{workflow_id}/versions", sign: "The first version" },
  { path: "/workflows/{workflow_id}/runs", sign: "{slug}" },
  { path: "/workflows/{workflow_id}/settings", sign: "Danger zone" },
  { path: "/runs", sign: "{slug}" },
  { path: "/runs/{run_id}?step=queued", sign: "Whole run" },
  { path: "/approvals", sign: "Pending" },
  { path: "/usage", sign: "Runs per day" },
  { path: "/connections", sign: "New connection" },
  { path: "/connections/connectors", sign: "Build a connector" },
  { path: "/connections/build", sign: "Signalbox checks it as you type" },
  { path: "/keys", sign: "active key" },
  { path: "/settings/events", sign: "New alert rule" },
  { path: "/settings", sign: "sets the plan" },
  { path: "/settings/members", sign: "(you)" },
  { path: "/settings/audit?action=workflow.created", sign: "name: " },
  { path: "/settings/account", sign: "Sign out everywhere" },
  { path: "/design", sign: "Waiting for approval" },
  { path: "/docs/api", sign: "Every error has the shape" },
  { path: "/docs", sign: "The guides show how to do common tasks" },
  { path: "/docs/guides/webhooks", sign: "Verify a webhook signature" },
  { path: "/docs/reference/step-kinds", sign: "Keep the items of a list" },
] as const;

/** The pages of a visitor. dialogs.spec.ts opens all of them. */
export const VISITOR_PAGES = [
  "/sign-in",
  "/forgot-password",
  "/reset-password?token=none",
  "/signup",
  "/docs",
] as const;

/** The routes that need a state which another file prepares, with the file, and its words for the page that it checks. */
export const CHECKED_IN: Record<string, readonly [file: string, words: string]> = {
  "/approvals/[approvalId]": ["e2e/dialogs.spec.ts", "/approvals/"],
  "/connections/connectors/[connector]": ["e2e/connections.spec.ts", "/connections/connectors/"],
  "/sso": ["e2e/sso.spec.ts", "a workspace that requires single sign-on"],
  "/two-step": ["e2e/required-two-step.spec.ts", "a workspace that requires two-step verification"],
};
