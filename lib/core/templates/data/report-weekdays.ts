import type { TemplateObject } from "#lib/contract/workflow/template";
import { draw, step } from "#lib/core/templates/draw";

const REPORT = `export default async (input: { figures: { name: string; value: number }[]; at: string }) => {
  const lines = input.figures.map((figure) => figure.name + ": " + figure.value);
  return { text: ["Report for " + input.at.slice(0, 10), ...lines].join("\\n") };
};
`;

export const reportWeekdays: TemplateObject = {
  template_id: "report-weekdays",
  name: "Send a report on weekdays",
  about: "Fetches figures every weekday at 9:00 UTC, writes a report, and posts it.",
  purpose: "data",
  starts: "schedule",
  needs: ["The URL of the figures", "The URL to post the report to"],
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
      step("figures", "connector", {
        name: "Fetch the figures",
        connector: "http",
        operation: "request",
        params: { method: "GET", url: "https://example.com/figures.json" },
        maxRetries: 3,
      }),
      step("report", "code", {
        name: "Write the report",
        source: REPORT,
        input: { figures: "{{figures.body}}", at: "{{trigger.output.timestamp}}" },
      }),
      step("post", "connector", {
        name: "Post the report",
        connector: "http",
        operation: "request",
        params: { method: "POST", url: "https://example.com/hooks/report", body: { text: "{{report.text}}" } },
        maxRetries: 3,
      }),
    ],
    "nine>figures",
    "figures>report",
    "report>post",
  ),
};
