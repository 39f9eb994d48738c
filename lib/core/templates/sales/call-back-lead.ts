import type { TemplateObject } from "#lib/contract/workflow/template";
import { call, draw, step } from "#lib/core/templates/draw";

export const callBackLead: TemplateObject = {
  template_id: "call-back-lead",
  name: "Plan a call with a new lead",
  about: "Creates a lead in Bitrix24 from a form, and a task to call the person back.",
  purpose: "sales",
  starts: "form",
  needs: ["A connection to Bitrix24", "The user who calls back"],
  sample_input: {
    output: {
      body: { name: "Ada", phone: "+49 30 1234567", question: "Do you ship to Norway?" },
      timestamp: "2026-01-15T09:00:00.000Z",
    },
  },
  definition: draw(
    [
      step("form", "trigger", {
        name: "Call me back",
        kind: "form",
        title: "We call you back",
        fields: [
          { name: "name", label: "Name", type: "text", required: true },
          { name: "phone", label: "Phone", type: "phone", required: true },
          { name: "question", label: "What is it about?", type: "long_text", required: true },
        ],
        submit_label: "Call me back",
      }),
      call("lead", "Create lead", "bitrix24.create_lead", {
        title: "Call back {{trigger.output.body.name}}",
        name: "{{trigger.output.body.name}}",
        phone: "{{trigger.output.body.phone}}",
        comments: "{{trigger.output.body.question}}",
      }),
      call("task", "Create task", "bitrix24.create_task", {
        title: "Call {{trigger.output.body.name}}: {{trigger.output.body.phone}}",
        responsible_id: 1,
        crm: ["L_{{lead.id}}"],
      }),
    ],
    "form>lead",
    "lead>task",
  ),
};
