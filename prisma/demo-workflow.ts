import type { Definition } from "#lib/contract/workflow/graph";

export const DEMO_SLUG = "hello-world";

/** The input of the first call. */
export const DEMO_INPUT = { name: "Ada", visits: 3 };

/** Small enough to read at a glance. It makes no network calls, so it also works offline. */
export const DEMO_DEFINITION: Definition = {
  nodes: [
    {
      id: "input",
      type: "action_input",
      position: { x: 160, y: 0 },
      data: {
        name: "Visitor",
        properties: [
          { name: "name", type: "string", required: true, description: "Name of the visitor" },
          {
            name: "visits",
            type: "integer",
            required: false,
            default: 1,
            description: "Number of visits, including this one",
          },
        ],
      },
    },
    {
      id: "known_visitor",
      type: "condition",
      position: { x: 160, y: 180 },
      data: {
        name: "Been here before?",
        match: "all",
        rules: [{ left: "{{action_input.visits}}", operator: "greater_than", right: 1 }],
      },
    },
    {
      id: "welcome_back",
      type: "transform",
      position: { x: 0, y: 360 },
      data: {
        name: "Welcome back",
        fields: [
          {
            name: "text",
            value: "Welcome back, {{action_input.name}}! This is visit number {{action_input.visits}}.",
          },
        ],
      },
    },
    {
      id: "first_hello",
      type: "transform",
      position: { x: 320, y: 360 },
      data: { name: "First hello", fields: [{ name: "text", value: "Hello, {{action_input.name}}!" }] },
    },
    {
      id: "answer_known",
      type: "return_output",
      position: { x: 0, y: 500 },
      data: {
        name: "Greeting for a regular",
        properties: [
          { name: "greeting", type: "string", required: true, value: "{{welcome_back.text}}" },
          { name: "known", type: "boolean", required: true, value: "{{known_visitor.result}}" },
        ],
      },
    },
    {
      id: "answer_new",
      type: "return_output",
      position: { x: 320, y: 500 },
      data: {
        name: "Greeting for a newcomer",
        properties: [
          { name: "greeting", type: "string", required: true, value: "{{first_hello.text}}" },
          { name: "known", type: "boolean", required: true, value: "{{known_visitor.result}}" },
        ],
      },
    },
  ],
  edges: [
    { id: "e1", source: "input", target: "known_visitor" },
    { id: "e2", source: "known_visitor", target: "welcome_back", sourceHandle: "true" },
    { id: "e3", source: "known_visitor", target: "first_hello", sourceHandle: "false" },
    { id: "e4", source: "welcome_back", target: "answer_known" },
    { id: "e5", source: "first_hello", target: "answer_new" },
  ],
};
