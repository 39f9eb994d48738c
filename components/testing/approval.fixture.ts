import type { ApprovalDetailObject, ApprovalObject, ApprovalRequestObject } from "#lib/contract/approval/approval";
import { idOf, secondsAgo } from "@/components/testing/page.fixture";

/** Returns a pending request that an approval step made two minutes ago. */
export function sampleApproval(changes: Partial<ApprovalObject> = {}): ApprovalObject {
  return {
    id: idOf(1),
    status: "pending",
    kind: "gate",
    step_id: "ask",
    message: "Refund 500 EUR?",
    requested_at: secondsAgo(120),
    expires_at: secondsAgo(-3_000),
    decided_at: null,
    decided_by: null,
    comment: null,
    ...changes,
  };
}

/** Returns the request as the inbox lists it: a key requested the run. */
export function approvalRequest(changes: Partial<ApprovalRequestObject> = {}): ApprovalRequestObject {
  return {
    ...sampleApproval(),
    run_id: idOf(50),
    action_slug: "refund",
    workflow_id: idOf(60),
    workflow_name: "Refunds",
    source: "action",
    requested_by: { type: "api_key", name: "Support bot", prefix: "svc_abcd" },
    ...changes,
  };
}

export function approvalDetail(changes: Partial<ApprovalDetailObject> = {}): ApprovalDetailObject {
  return {
    ...approvalRequest(),
    input: { amount: 500 },
    step_name: "Ask a person",
    has_rejected_branch: false,
    is_own_forbidden: false,
    deciders: ["Ann"],
    ...changes,
  };
}
