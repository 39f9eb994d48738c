import type { TemplateObject } from "#lib/contract/workflow/template";
import { call, draw, step } from "#lib/core/templates/draw";

export const checkWebsite: TemplateObject = {
  template_id: "check-website",
  name: "Check a website",
  about: "Opens a website every five minutes, and writes to a Telegram chat if it doesn't respond as expected.",
  purpose: "operations",
  starts: "schedule",
  needs: ["The URL of the website", "A connection to Telegram", "The chat to alert"],
  sample_input: {
    output: { timestamp: "2026-01-15T09:00:00.000Z", scheduleType: "interval" },
  },
  definition: draw(
    [
      step("often", "trigger", { name: "Every 5 minutes", kind: "schedule", mode: "interval", seconds: 300 }),
      step("open", "connector", {
        name: "Open the site",
        connector: "http",
        operation: "request",
        params: { method: "GET", url: "https://example.com/broken" },
        maxRetries: 1,
        retryWaitSeconds: 1,
      }),
      call("alert", "Alert", "telegram.send_message", {
        chat_id: "@your_team",
        text: "The website is down: {{open.error.message}}",
      }),
    ],
    "often>open",
    "open.failed>alert",
  ),
};
