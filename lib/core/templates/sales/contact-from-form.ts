import type { TemplateObject } from "#lib/contract/workflow/template";
import { call, draw, step } from "#lib/core/templates/draw";

export const contactFromForm: TemplateObject = {
  template_id: "contact-from-form",
  name: "Create a HubSpot contact from a form",
  about: "Shows a contact form to the public, and creates a contact in HubSpot for each answer.",
  purpose: "sales",
  starts: "form",
  needs: ["A connection to HubSpot"],
  sample_input: {
    output: {
      body: { email: "ada@example.com", first_name: "Ada", last_name: "Lovelace" },
      timestamp: "2026-01-15T09:00:00.000Z",
    },
  },
  definition: draw(
    [
      step("form", "trigger", {
        name: "Contact form",
        kind: "form",
        title: "Get in touch",
        fields: [
          { name: "email", label: "Email", type: "email", required: true },
          { name: "first_name", label: "First name", type: "text", required: true },
          { name: "last_name", label: "Last name", type: "text", required: false },
        ],
        submit_label: "Send",
      }),
      call("contact", "Create contact", "hubspot.create_contact", {
        properties: {
          email: "{{trigger.output.body.email}}",
          firstname: "{{trigger.output.body.first_name}}",
          lastname: '{{trigger.output.body.last_name ?? ""}}',
        },
      }),
    ],
    "form>contact",
  ),
};
