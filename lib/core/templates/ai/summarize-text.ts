import type { TemplateObject } from "#lib/contract/workflow/template";
import { draw, step } from "#lib/core/templates/draw";

const SCHEMA = {
  type: "object",
  properties: { summary: { type: "string" }, tasks: { type: "array", items: { type: "string" } } },
  required: ["summary", "tasks"],
  additionalProperties: false,
};

export const summarizeText: TemplateObject = {
  template_id: "summarize-text",
  name: "Summarize meeting notes",
  about: "A model summarizes notes and lists the tasks in them. Agents can call it.",
  purpose: "ai",
  starts: "call",
  needs: ["A connection to an LLM provider"],
  sample_input: { notes: "Ada presented the plan. Grace will send the offer to Acme by Friday." },
  definition: draw(
    [
      step("input", "action_input", {
        name: "Notes",
        properties: [{ name: "notes", type: "string", required: true }],
      }),
      step("summarize", "llm", {
        name: "Summarize",
        model: "gpt-4.1-mini",
        system: "You summarize meeting notes in two sentences, and list the tasks with the person who does them.",
        prompt: "{{action_input.notes}}",
        output_schema: SCHEMA,
        maxRetries: 2,
      }),
      step("answer", "return_output", {
        name: "Summary",
        properties: [
          { name: "summary", type: "string", required: true, value: "{{summarize.object.summary}}" },
          { name: "tasks", type: "array", required: true, value: "{{summarize.object.tasks}}" },
        ],
      }),
    ],
    "input>summarize",
    "summarize>answer",
  ),
};
