import type { TemplateObject } from "#lib/contract/workflow/template";
import { call, draw, step } from "#lib/core/templates/draw";

export const emailFailures: TemplateObject = {
  template_id: "email-failures",
  name: "Email failures",
  about: "Starts when a run of any workflow fails, and emails the error with a link to the run.",
  purpose: "operations",
  starts: "failure",
  needs: ["A connection to a mailbox", "The address of your team"],
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
      call("mail", "Email the team", "email.send", {
        to: "team@example.com",
        subject: "{{trigger.output.run.workflow_name}} failed",
        text: "{{trigger.output.run.error.message}}\n{{trigger.output.run.url}}",
      }),
    ],
    "failure>mail",
  ),
};
