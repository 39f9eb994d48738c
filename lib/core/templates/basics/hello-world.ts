import type { TemplateObject } from "#lib/contract/workflow/template";
import { draw, step } from "#lib/core/templates/draw";

export const helloWorld: TemplateObject = {
  template_id: "hello-world",
  name: "Hello, world",
  about: "Greets a person by name: the smallest action that an agent can call.",
  purpose: "basics",
  starts: "call",
  needs: [],
  sample_input: { name: "Ada" },
  definition: draw(
    [
      step("input", "action_input", {
        name: "Person",
        properties: [{ name: "name", type: "string", required: true, description: "The person to greet" }],
      }),
      step("greet", "transform", {
        name: "Greet",
        fields: [{ name: "text", value: "Hello, {{action_input.name}}!" }],
      }),
      step("answer", "return_output", {
        name: "Greeting",
        properties: [{ name: "text", type: "string", required: true, value: "{{greet.text}}" }],
      }),
    ],
    "input>greet",
    "greet>answer",
  ),
};
