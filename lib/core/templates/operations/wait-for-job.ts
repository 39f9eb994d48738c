import type { TemplateObject } from "#lib/contract/workflow/template";
import { draw, step } from "#lib/core/templates/draw";

const answer = (id: string, name: string, status: string) =>
  step(id, "return_output", { name, properties: [{ name: "status", type: "string", required: true, value: status }] });

export const waitForJob: TemplateObject = {
  template_id: "wait-for-job",
  name: "Wait for a job in another system",
  about:
    "Starts a job over HTTP, waits up to an hour until the other system reports its result, and returns the result.",
  purpose: "operations",
  starts: "call",
  needs: ["The URL that starts the job"],
  sample_input: { file: "orders.csv" },
  definition: draw(
    [
      step("input", "action_input", {
        name: "File",
        properties: [{ name: "file", type: "string", required: true }],
      }),
      step("start", "connector", {
        name: "Start the job",
        connector: "http",
        operation: "request",
        params: {
          method: "POST",
          url: "https://example.com/jobs",
          body: { file: "{{action_input.file}}", report_to: "{{done.callback_url}}" },
        },
      }),
      step("done", "wait_for_callback", {
        name: "Wait for the result",
        expires_seconds: 3_600,
        schema: { type: "object", properties: { status: { type: "string" } }, required: ["status"] },
      }),
      answer("result", "Result", "{{done.body.status}}"),
      answer("late", "No result", "expired"),
    ],
    "input>start",
    "start>done",
    "done.received>result",
    "done.expired>late",
  ),
};
