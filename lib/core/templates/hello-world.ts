import type { TemplateObject } from "#lib/contract/template";
import { draw, step } from "#lib/core/templates/draw";

export const helloWorld: TemplateObject = {
  template_id: "hello-world",
  name: "Hello, world",
  about: "Greets whoever it is called with: the smallest action that an agent can call.",
  starts: "call",
  needs: [],
  sample_input: { name: "Ada" },
  definition: draw(
    [
      step("input", "action_input", {
        name: "Who",
        properties: [{ name: "name", type: "string", required: true, description: "Who is greeted" }],
      }),
      step("greet", "transform", {
        name: "Greet",
        fields: [{ name: "text", value: "Hello, {{action_input.name}}!" }],
      }),
      step("answer", "return_output", {
        name: "Greeting",
        properties: [{ name: "text", type: "string", value: "{{greet.text}}" }],
      }),
    ],
    "input>greet",
    "greet>answer",
  ),
};
