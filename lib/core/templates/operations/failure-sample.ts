import type { JsonObject } from "#lib/contract/wire/json-schema";

/** The event of a failure trigger, as an example. */
export const FAILURE_SAMPLE: JsonObject = {
  output: {
    run: {
      id: "01980d3c-7d4e-7e31-9f5b-2f1f6f0c1a11",
      workflow_id: "01980d3c-7d4e-7e31-9f5b-2f1f6f0c1a12",
      workflow_name: "Sync orders",
      action_slug: "sync-orders",
      source: "action",
      error: { code: "UPSTREAM_ERROR", message: "The service answered 503.", step_id: "fetch", step_name: "Fetch" },
      started_at: "2026-01-15T09:00:00.000Z",
      completed_at: "2026-01-15T09:00:02.000Z",
      url: "https://signalbox.example.com/runs/01980d3c-7d4e-7e31-9f5b-2f1f6f0c1a11",
    },
    timestamp: "2026-01-15T09:00:02.000Z",
  },
};
