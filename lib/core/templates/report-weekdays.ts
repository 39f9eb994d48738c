import type { TemplateObject } from "#lib/contract/template";
import { draw, step } from "#lib/core/templates/draw";

const REPORT = `export default async (input: { figures: { name: string; value: number }[]; at: string }) => {
  const lines = input.figures.map((figure) => figure.name + ": " + figure.value);
  return { text: ["Report of " + input.at.slice(0, 10), ...lines].join("\\n") };
};
`;

export const reportWeekdays: TemplateObject = {
  template_id: "report-weekdays",
  name: "Report on weekdays",
  about: "Fetches figures every weekday at nine, writes a report of them, and posts it.",
  starts: "schedule",
  needs: ["The address of the figures", "The address to post the report to"],
  sample_input: {
    output: { timestamp: "2026-01-15T09:00:00.000Z", scheduleType: "cron", expression: "0 9 * * 1-5" },
  },
  definition: draw(
    [
      step("nine", "trigger", {
        name: "Weekdays at nine",
        kind: "schedule",
        mode: "cron",
        expression: "0 9 * * 1-5",
        timezone: "UTC",
      }),
      step("figures", "connector", {
        name: "Figures",
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
        name: "Post it",
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
