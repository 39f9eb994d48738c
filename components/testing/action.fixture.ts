import type { ActionDetailObject } from "#lib/contract/action/action";
import { secondsAgo } from "@/components/testing/page.fixture";
import { WORKFLOW } from "@/components/testing/sample-objects.fixture";

const DAY = 86_400;

/** An active action with a required amount and an optional note. */
export function sampleAction(changes: Partial<ActionDetailObject> = {}): ActionDetailObject {
  return {
    slug: "refund",
    name: "Refunds",
    description: null,
    status: "active",
    approval_policy: "never",
    release_version: 3,
    workflow_id: WORKFLOW.workflow_id,
    inputSchema: {
      type: "object",
      properties: {
        amount: { type: "integer", description: "In cents." },
        note: { type: "string" },
      },
      required: ["amount"],
    },
    outputSchema: null,
    created_at: secondsAgo(9 * DAY),
    updated_at: secondsAgo(2 * DAY),
    examples: [{ amount: 500 }],
    releases: [],
    ...changes,
  };
}
