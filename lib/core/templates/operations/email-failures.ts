import type { TemplateObject } from "#lib/contract/workflow/template";
import { call, draw, step } from "#lib/core/templates/draw";
import { FAILURE_SAMPLE } from "#lib/core/templates/operations/failure-sample";

export const emailFailures: TemplateObject = {
  template_id: "email-failures",
  name: "Email failures",
  about: "Starts when a run of any workflow fails, and emails the error with a link to the run.",
  purpose: "operations",
  starts: "failure",
  needs: ["A connection to a mailbox", "The address of your team"],
  sample_input: FAILURE_SAMPLE,
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
