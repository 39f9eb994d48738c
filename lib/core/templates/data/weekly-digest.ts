import type { TemplateObject } from "#lib/contract/workflow/template";
import { call, draw, step } from "#lib/core/templates/draw";

const WRITE = `export default async (input: { rows: { values: { Order: string; Total: number } }[] }) => {
  const lines = input.rows.map(({ values }) => values.Order + ": " + values.Total);
  const total = input.rows.reduce((sum, { values }) => sum + values.Total, 0);
  return { text: [input.rows.length + " open orders", ...lines, "Total: " + total].join("\\n") };
};
`;

export const weeklyDigest: TemplateObject = {
  template_id: "weekly-digest",
  name: "Email a weekly digest",
  about: "Reads the open orders of a Google spreadsheet every Monday, adds them up, and emails the list.",
  purpose: "data",
  starts: "schedule",
  needs: [
    "A connection to Google Sheets",
    "The URL of your spreadsheet",
    "A connection to a mailbox",
    "The address of your team",
  ],
  sample_input: {
    output: { timestamp: "2026-01-12T08:00:00.000Z", scheduleType: "cron", expression: "0 8 * * 1" },
  },
  definition: draw(
    [
      step("monday", "trigger", {
        name: "Mondays at 8:00",
        kind: "schedule",
        mode: "cron",
        expression: "0 8 * * 1",
        timezone: "UTC",
      }),
      call("open", "Find open orders", "google_sheets.find_rows", {
        spreadsheet_id: "https://docs.google.com/spreadsheets/d/1YourSpreadsheet/edit",
        sheet: "Orders",
        column: "Status",
        value: "open",
      }),
      step("digest", "code", { name: "Write digest", source: WRITE, input: { rows: "{{open.rows}}" } }),
      call("mail", "Email the team", "email.send", {
        to: "team@example.com",
        subject: "Open orders",
        text: "{{digest.text}}",
      }),
    ],
    "monday>open",
    "open>digest",
    "digest>mail",
  ),
};
