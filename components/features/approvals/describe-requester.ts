import type { ApprovalRequestObject } from "#lib/contract/approval/approval";
import { RUN_SOURCE_WORDS } from "@/components/words/run-sources";

/** Describes who requested the run: "Support bot (svc_Qm4x…)", "Ada", "Schedule". */
export function describeRequester({ requested_by: by, source }: ApprovalRequestObject): string {
  if (by.type === "api_key") return `${by.name ?? "A key"} (${by.prefix}…)`;
  return by.name ?? RUN_SOURCE_WORDS[source];
}
