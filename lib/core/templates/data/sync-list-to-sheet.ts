import type { TemplateObject } from "#lib/contract/workflow/template";
import { call, draw, step } from "#lib/core/templates/draw";

export const syncListToSheet: TemplateObject = {
  template_id: "sync-list-to-sheet",
  name: "Copy a list to a spreadsheet",
  about:
    "Fetches products every night, keeps those in stock, and adds or updates a row of a Google spreadsheet for each.",
  purpose: "data",
  starts: "schedule",
  needs: ["The URL of the products", "A connection to Google Sheets", "The URL of your spreadsheet"],
  sample_input: {
    output: { timestamp: "2026-01-15T02:00:00.000Z", scheduleType: "cron", expression: "0 2 * * *" },
  },
  definition: draw(
    [
      step("night", "trigger", {
        name: "Every night",
        kind: "schedule",
        mode: "cron",
        expression: "0 2 * * *",
        timezone: "UTC",
      }),
      step("products", "connector", {
        name: "Fetch products",
        connector: "http",
        operation: "request",
        params: { method: "GET", url: "https://example.com/products.json" },
        maxRetries: 3,
      }),
      step("in_stock", "filter", {
        name: "In stock",
        items: "{{products.body}}",
        match: "all",
        rules: [{ left: "{{in_stock.item.stock}}", operator: "greater_than", right: 0 }],
      }),
      step("each", "loop", { name: "For each product", items: "{{in_stock.items}}", concurrency: 1 }),
      call(
        "row",
        "Add or update",
        "google_sheets.upsert_row",
        {
          spreadsheet_id: "https://docs.google.com/spreadsheets/d/1YourSpreadsheet/edit",
          sheet: "Products",
          column: "SKU",
          values: { SKU: "{{each.item.sku}}", Stock: "{{each.item.stock}}" },
        },
        "each",
      ),
    ],
    "night>products",
    "products>in_stock",
    "in_stock>each",
  ),
};
