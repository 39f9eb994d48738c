import type { TemplateObject } from "#lib/contract/workflow/template";
import { draw, step } from "#lib/core/templates/draw";

export const composeActions: TemplateObject = {
  template_id: "compose-actions",
  name: "Compose actions",
  about: "Calls another published action for each item of a list, three at a time, and collects the results.",
  purpose: "basics",
  starts: "call",
  needs: ["A published action with the slug hello-world"],
  sample_input: { names: ["Ada", "Grace", "Katherine"] },
  definition: draw(
    [
      step("input", "action_input", {
        name: "Names",
        properties: [{ name: "names", type: "array", items: { type: "string" }, required: true }],
      }),
      step("each", "loop", {
        name: "For each name",
        items: "{{action_input.names}}",
        concurrency: 3,
        result: "{{greet.text}}",
      }),
      step(
        "greet",
        "sub_workflow",
        { name: "Call hello-world", action_slug: "hello-world", input: { name: "{{each.item}}" } },
        "each",
      ),
      step("answer", "return_output", {
        name: "All greetings",
        properties: [{ name: "greetings", type: "array", required: true, value: "{{each.results}}" }],
      }),
    ],
    "input>each",
    "each>answer",
  ),
};
