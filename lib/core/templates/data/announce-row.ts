import type { TemplateObject } from "#lib/contract/workflow/template";
import { call, draw, step } from "#lib/core/templates/draw";

export const announceRow: TemplateObject = {
  template_id: "announce-row",
  name: "Announce new rows",
  about: "Writes to a Telegram chat when a row is added to a Google spreadsheet, and ignores edits.",
  purpose: "data",
  starts: "connector",
  needs: [
    "A connection to Google Sheets",
    "The URL of your spreadsheet",
    "A connection to Telegram",
    "The chat of your team",
  ],
  sample_input: {
    output: {
      event: "row_changed",
      id: "1YourSpreadsheet/Orders/7/1",
      connector: "google_sheets",
      data: {
        spreadsheet_id: "1YourSpreadsheet",
        sheet: "Orders",
        row_number: 7,
        change: "added",
        values: { Order: "A-7", Customer: "Ada", Total: 120, Status: "open" },
      },
      occurred_at: "2026-01-15T09:00:00.000Z",
    },
  },
  definition: draw(
    [
      step("row", "trigger", {
        name: "Row changed",
        kind: "connector",
        connector: "google_sheets",
        event: "row_changed",
        params: {
          spreadsheet_id: "https://docs.google.com/spreadsheets/d/1YourSpreadsheet/edit",
          sheet: "Orders",
        },
      }),
      step("is_new", "condition", {
        name: "New row?",
        match: "all",
        rules: [{ left: "{{trigger.output.data.change}}", operator: "equals", right: "added" }],
      }),
      call("announce", "Announce", "telegram.send_message", {
        chat_id: "@your_team",
        text: "New order {{trigger.output.data.values.Order}} from {{trigger.output.data.values.Customer}}",
      }),
    ],
    "row>is_new",
    "is_new.true>announce",
  ),
};
