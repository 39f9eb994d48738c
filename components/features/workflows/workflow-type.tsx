import type { WorkflowType } from "#lib/contract/workflow";
import { Badge } from "@/components/ui/badge";

const MEANING: Record<WorkflowType, { word: string; title: string }> = {
  callable: { word: "Callable", title: "Published as an action that agents call" },
  event_driven: { word: "Event-driven", title: "Started by a trigger" },
};

export function WorkflowTypeBadge({ type }: { type: WorkflowType }) {
  return <Badge title={MEANING[type].title}>{MEANING[type].word}</Badge>;
}
