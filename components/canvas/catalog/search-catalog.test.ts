import { expect, test } from "vitest";
import { buildCatalog } from "@/components/canvas/catalog/build-catalog";
import { BILLING_APP, BUILT_IN_APPS, REFUND_ACTION } from "@/components/canvas/catalog/catalog.fixture";
import { type CatalogEntry, entryLabel } from "@/components/canvas/catalog/catalog-entry";

const { search } = buildCatalog({ apps: [...BUILT_IN_APPS, BILLING_APP], actions: [REFUND_ACTION] });
const first = (query: string) => search(query).slice(0, 1).map(entryLabel).join();

test.each([
  // An app and its operations.
  ["telegram", "Telegram"],
  ["tg", "Telegram"],
  ["telegram send", "Telegram: Send a message"],
  ["telegram message", "Telegram: Send a message"],
  ["send a telegram message", "Telegram: Send a message"],
  ["tele send", "Telegram: Send a message"],
  ["telegram photo", "Telegram: Send a picture"],
  ["telegram file", "Telegram: Send a file"],
  ["max send message", "MAX: Send a message"],
  ["hubspot contact create", "HubSpot: Create a contact"],
  ["create contact hubspot", "HubSpot: Create a contact"],
  ["kommo", "Kommo (amoCRM)"],
  ["amocrm", "Kommo (amoCRM)"],
  ["kommo create lead", "Kommo (amoCRM): Create a lead"],
  ["bitrix", "Bitrix24"],
  ["create bitrix task", "Bitrix24: Create a task"],
  ["google sheets add row", "Google Sheets: Add a row"],
  ["append row", "Google Sheets: Add a row"],
  ["find rows", "Google Sheets: Find rows"],
  ["send email", "Email: Send an email"],
  ["new email", "Email: New email"],
  ["search emails", "Email: Search emails"],
  ["billing", "Billing"],
  ["invoice", "Billing: Create an invoice"],
  // Synonyms of apps.
  ["email", "Email"],
  ["smtp", "Email"],
  ["gmail", "Email"],
  ["mail", "Email"],
  ["spreadsheet", "Google Sheets"],
  ["excel", "Google Sheets"],
  ["crm", "HubSpot"],
  ["messenger", "MAX"],
  ["chatgpt", "OpenAI or compatible: Ask a model"],
  ["claude", "Anthropic: Ask a model"],
  // Step kinds and their synonyms.
  ["if", "Condition"],
  ["condition", "Condition"],
  ["branch", "Condition"],
  ["else", "Condition"],
  ["switch", "Switch"],
  ["case", "Switch"],
  ["wait", "Delay"],
  ["sleep", "Delay"],
  ["delay", "Delay"],
  ["wait for callback", "Wait for callback"],
  ["loop", "Loop"],
  ["for each", "Loop"],
  ["repeat", "Loop"],
  ["javascript", "Code"],
  ["code", "Code"],
  ["typescript", "Code"],
  ["http", "HTTP request"],
  ["api", "HTTP request"],
  ["rest", "HTTP request"],
  ["request", "HTTP request"],
  ["fetch", "HTTP request"],
  ["map fields", "Transform"],
  ["set", "Transform"],
  ["filter", "Filter"],
  ["approve", "Approval"],
  ["human", "Approval"],
  ["ai", "LLM"],
  ["llm", "LLM"],
  ["return", "Return Output"],
  ["end", "Return Output"],
  ["respond", "Respond to webhook"],
  ["sub workflow", "Run an action"],
  ["parse json", "Code"],
  ["openapi", "HTTP request"],
  ["error", "Fetch with retries"],
  // Starts.
  ["webhook", "Webhook"],
  ["cron", "Schedule"],
  ["schedule", "Schedule"],
  ["every day", "Schedule"],
  ["parameters", "Action Input"],
  ["manual", "Action Input"],
  // The workspace's own actions, and groups of steps.
  ["refund order", "Refund an order"],
  ["refund-order", "Refund an order"],
  ["retry", "Fetch with retries"],
  ["classify review", "Classify with AI and review"],
  // Typing errors.
  ["telegarm", "Telegram"],
  ["telgram send mesage", "Telegram: Send a message"],
  ["spredsheet", "Google Sheets"],
  ["hubsopt", "HubSpot"],
  ["conditon", "Condition"],
  ["dealy", "Delay"],
  ["aproval", "Approval"],
  ["scedule", "Schedule"],
  ["webhok", "Webhook"],
])("%j finds %s first", (query, expected) => {
  expect(first(query)).toBe(expected);
});

test.each(["qqqqzzzz", "slack", "stripe", "notion", "discord"])("%j, which nothing offers, finds nothing", (query) => {
  expect(search(query)).toEqual([]);
});

test.each(["return", "chat", "list", "update"])("the names that match %j come before the descriptions", (query) => {
  const isNamed = (entry: CatalogEntry) =>
    `${entryLabel(entry)} ${entry.keywords}`
      .toLowerCase()
      .split(/[^a-z]+/)
      .some((word) => word.startsWith(query));
  const named = search(query).map(isNamed);
  expect(named.lastIndexOf(true)).toBeGreaterThanOrEqual(0);
  expect(named.slice(0, named.lastIndexOf(true))).not.toContain(false);
});

test("a service that the workspace is connected to comes before one that it is not", () => {
  const connected = BUILT_IN_APPS.map((app) =>
    app.connector === "telegram"
      ? { ...app, connections: [{ connection_id: "c1", name: "Bot", status: "connected" as const }] }
      : app,
  );
  const found = buildCatalog({ apps: connected, actions: [] }).search("send message");
  expect(found.slice(0, 2).map(entryLabel)).toEqual(["Telegram: Send a message", "MAX: Send a message"]);
});

test("the catalog is indexed once for the same answers of the server", () => {
  const source = { apps: BUILT_IN_APPS, actions: [] };
  expect(buildCatalog({ ...source })).toBe(buildCatalog({ ...source }));
});
