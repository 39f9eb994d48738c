import type { TemplateObject } from "#lib/contract/workflow/template";
import { draw, step } from "#lib/core/templates/draw";

export const fetchWithRetries: TemplateObject = {
  template_id: "fetch-with-retries",
  name: "Fetch with retries",
  about: "Calls another service over HTTP, retries temporary failures, and returns the response.",
  purpose: "basics",
  starts: "call",
  needs: ["A URL that this server is allowed to call"],
  sample_input: { url: "https://example.com/status.json" },
  definition: draw(
    [
      step("input", "action_input", {
        name: "URL",
        properties: [{ name: "url", type: "string", required: true, description: "The URL to fetch" }],
      }),
      step("fetch", "connector", {
        name: "Fetch",
        connector: "http",
        operation: "request",
        params: { method: "GET", url: "{{action_input.url}}", headers: { accept: "application/json" } },
        maxRetries: 3,
      }),
      step("answer", "return_output", {
        name: "Answer",
        properties: [
          { name: "status", type: "integer", required: true, value: "{{fetch.status}}" },
          { name: "body", type: "object", required: false, value: "{{fetch.body}}" },
        ],
      }),
    ],
    "input>fetch",
    "fetch>answer",
  ),
};
