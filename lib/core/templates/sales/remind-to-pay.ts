import type { TemplateObject } from "#lib/contract/workflow/template";
import { call, draw, step } from "#lib/core/templates/draw";

export const remindToPay: TemplateObject = {
  template_id: "remind-to-pay",
  name: "Remind customers to pay",
  about: "Reads the overdue invoices of a Google spreadsheet on weekdays, and emails a reminder for each.",
  purpose: "sales",
  starts: "schedule",
  needs: ["A connection to Google Sheets", "The URL of your spreadsheet", "A connection to a mailbox"],
  sample_input: {
    output: { timestamp: "2026-01-15T09:00:00.000Z", scheduleType: "cron", expression: "0 9 * * 1-5" },
  },
  definition: draw(
    [
      step("nine", "trigger", {
        name: "Weekdays at 9:00",
        kind: "schedule",
        mode: "cron",
        expression: "0 9 * * 1-5",
        timezone: "UTC",
      }),
      call("overdue", "Find overdue", "google_sheets.find_rows", {
        spreadsheet_id: "https://docs.google.com/spreadsheets/d/1YourSpreadsheet/edit",
        sheet: "Invoices",
        column: "Status",
        value: "overdue",
      }),
      step("each", "loop", { name: "For each invoice", items: "{{overdue.rows}}", concurrency: 2 }),
      call(
        "remind",
        "Remind",
        "email.send",
        {
          to: "{{each.item.values.Email}}",
          subject: "Invoice {{each.item.values.Number}}",
          text: "Your invoice {{each.item.values.Number}} is overdue. Please pay it this week.",
        },
        "each",
      ),
    ],
    "nine>overdue",
    "overdue>each",
  ),
};
