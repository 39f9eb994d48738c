import type { TemplateObject } from "#lib/contract/workflow/template";
import { draw, step } from "#lib/core/templates/draw";
import { FAILURE_SAMPLE } from "#lib/core/templates/operations/failure-sample";

export const reportFailures: TemplateObject = {
  template_id: "report-failures",
  name: "Report failures",
  about: "Starts when a run of any workflow fails, and posts the error with a link to a chat or an alerting service.",
  purpose: "operations",
  starts: "failure",
  needs: ["The URL to post errors to"],
  sample_input: FAILURE_SAMPLE,
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
