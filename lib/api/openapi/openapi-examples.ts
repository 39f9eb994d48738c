import type { ActionDetailObject, ActionObject } from "#lib/contract/action/action";
import type { RunObject } from "#lib/contract/run/run";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { presentNewRun } from "#lib/domain/runs/read/present-run";
import { NO_VALUES, NOTHING_HAPPENED } from "#lib/domain/runs/read/run-row";

const ACTION: ActionObject = {
  slug: "send-invoice",
  name: "Send invoice",
  description: "Creates the invoice of an order and emails it to the customer.",
  status: "active",
  approval_policy: "never",
  release_version: 4,
  workflow_id: "0199a2f0-6d1c-7b54-8f7e-5a3d9c2b1e60",
  inputSchema: {
    type: "object",
    properties: { order_id: { type: "string", description: "Number of the order" }, copies: { type: "integer" } },
    required: ["order_id"],
  },
  outputSchema: { type: "object", properties: { invoice_number: { type: "string" } } },
  created_at: "2026-01-05T09:12:44.120Z",
  updated_at: "2026-02-11T15:03:09.884Z",
};

const ACTION_DETAIL: ActionDetailObject = {
  ...ACTION,
  examples: [{ order_id: "text", copies: 1 }, { order_id: "text" }],
  releases: [{ version: 4, deployed_at: "2026-02-11T15:03:09.884Z", breaking: false }],
};

const NEW_RUN = presentNewRun({
  ...NO_VALUES,
  id: "0199b7c2-4f6e-7c3a-9a51-3f2b8e7d1c04",
  action_slug: "send-invoice",
  action_release_version: 4,
  source: "action",
  status: "accepted",
  input: { order_id: "1017" },
  dry_run: false,
  correlation_id: "order-1017",
  workflow_id: "0199a2f0-6d1c-7b54-8f7e-5a3d9c2b1e60",
  workflow_version_id: "0199b0aa-1c44-7e0b-b3d9-84c1f6a2e715",
  created_at: new Date("2026-02-12T08:30:00.000Z"),
  definition: null,
  approval: null,
  ...NOTHING_HAPPENED,
});

const DONE_RUN: RunObject = {
  ...NEW_RUN,
  status: "succeeded",
  output: { invoice_number: "2026-0093" },
  started_at: "2026-02-12T08:30:00.012Z",
  completed_at: "2026-02-12T08:30:00.420Z",
  duration_ms: 408,
};

const READ_RUN: RunObject = {
  ...DONE_RUN,
  steps: [
    {
      step_id: "make_invoice",
      name: "Create the invoice",
      type: "connector",
      connector: "http",
      operation: "request",
      status: "completed",
      attempt: 1,
      iteration: null,
      reused: false,
      started_at: "2026-02-12T08:30:00.014Z",
      completed_at: "2026-02-12T08:30:00.411Z",
      duration_ms: 397,
      input: { order_id: "1017" },
      output: { status: 201, headers: {}, body: { number: "2026-0093" } },
      error: null,
      truncated: false,
    },
  ],
};

const APPROVED_RUN: RunObject = {
  ...NEW_RUN,
  approval: {
    id: "0199b7c2-4f70-7d10-8c0e-6b1f2a9d3e57",
    status: "approved",
    kind: "policy",
    step_id: null,
    message: null,
    requested_at: "2026-02-12T08:30:00.000Z",
    expires_at: "2026-02-12T09:30:00.000Z",
    decided_at: "2026-02-12T08:41:17.302Z",
    decided_by: { type: "api_key", id: "0199a111-2b3c-7d4e-9f50-617283940a5b", name: "Billing agent" },
    comment: "Checked against the order.",
  },
};

const CANCELLED_RUN: RunObject = { ...NEW_RUN, status: "cancelled", completed_at: "2026-02-12T08:30:02.500Z" };

const page = (item: unknown) => ({ data: [item], has_more: false, next_cursor: null });

/** A successful answer of each operation with a path, and a body that leads to it if the operation takes one. */
const EXAMPLES: Record<string, { answer: unknown; body?: JsonObject }> = {
  list_actions: { answer: page(ACTION) },
  get_action: { answer: ACTION_DETAIL },
  run_action: { answer: NEW_RUN, body: { input: { order_id: "1017" }, correlation_id: "order-1017" } },
  run_actions: {
    answer: {
      data: [
        { run: NEW_RUN, error: null, idempotent_replayed: false, retry_after: null },
        {
          run: null,
          error: {
            error: "The input does not match the action's schema.",
            code: "INPUT_VALIDATION_FAILED",
            reason: "input_validation_failed",
            details: [{ field: "order_id", pointer: "/order_id", code: "required", message: "is required" }],
          },
          idempotent_replayed: false,
          retry_after: null,
        },
      ],
      refused: 1,
    },
    body: { items: [{ input: { order_id: "1017" }, correlation_id: "order-1017" }, { input: {} }] },
  },
  list_runs: { answer: page(DONE_RUN) },
  get_run_status: { answer: READ_RUN },
  approve_run: { answer: APPROVED_RUN, body: { decision: "approved", comment: "Checked against the order." } },
  cancel_run: { answer: CANCELLED_RUN },
};

/** @throws Error for an operation without an example: every described endpoint needs one */
export function exampleOf(operationName: string): { answer: unknown; body?: JsonObject } {
  const example = EXAMPLES[operationName];
  if (!example) throw new Error(`${operationName} has no example in the description of the API`);
  return example;
}
