import type { TemplateObject } from "#lib/contract/workflow/template";
import { call, draw, step } from "#lib/core/templates/draw";

export const webhookToSheet: TemplateObject = {
  template_id: "webhook-to-sheet",
  name: "Add webhooks to a spreadsheet",
  about: "Receives orders by webhook, and adds each one as a row to a Google spreadsheet.",
  purpose: "data",
  starts: "webhook",
  needs: ["A connection to Google Sheets", "The URL of your spreadsheet"],
  sample_input: {
    output: { body: { id: "A-1", customer: "Ada", total: 42 }, timestamp: "2026-01-15T09:00:00.000Z" },
  },
  definition: draw(
    [
      step("order", "trigger", { name: "Order", kind: "webhook", scheme: "auto" }),
      call("row", "Add a row", "google_sheets.append_row", {
        spreadsheet_id: "https://docs.google.com/spreadsheets/d/1YourSpreadsheet/edit",
        sheet: "Orders",
        values: {
          Order: "{{trigger.output.body.id}}",
          Customer: "{{trigger.output.body.customer}}",
          Total: "{{trigger.output.body.total}}",
          Status: "open",
        },
      }),
    ],
    "order>row",
  ),
};
