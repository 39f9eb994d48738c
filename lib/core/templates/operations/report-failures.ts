import type { TemplateObject } from "#lib/contract/workflow/template";
import { draw, step } from "#lib/core/templates/draw";

export const reportFailures: TemplateObject = {
  template_id: "report-failures",
  name: "Report failures",
  about: "Starts when a run of any workflow fails, and posts the error with a link to a chat or an alerting service.",
  purpose: "operations",
  starts: "failure",
  needs: ["The URL to post errors to"],
  sample_input: {
    output: {
      run: {
        id: "01980d3c-7d4e-7e31-9f5b-2f1f6f0c1a11",
        workflow_id: "01980d3c-7d4e-7e31-9f5b-2f1f6f0c1a12",
        workflow_name: "Sync orders",
        action_slug: "sync-orders",
        source: "action",
        error: { code: "UPSTREAM_ERROR", message: "The service answered 503.", step_id: "fetch", step_name: "Fetch" },
        started_at: "2026-01-15T09:00:00.000Z",
        completed_at: "2026-01-15T09:00:02.000Z",
        url: "https://signalbox.example.com/runs/01980d3c-7d4e-7e31-9f5b-2f1f6f0c1a11",
      },
      timestamp: "2026-01-15T09:00:02.000Z",
    },
  },
  definition: draw(
    [
      step("failure", "trigger", { name: "Failed run", kind: "failure" }),
      step("report", "connector", {
        name: "Post the error",
        connector: "http",
        operation: "request",
        params: {
          method: "POST",
          url: "https://example.com/hooks/alerts",
          body: {
            text: "{{trigger.output.run.workflow_name}} failed: {{trigger.output.run.error.message}}",
            link: "{{trigger.output.run.url}}",
          },
        },
        maxRetries: 3,
      }),
    ],
    "failure>report",
  ),
};
