import type { NodeType } from "#lib/contract/graph";
import { actionInputKind } from "@/components/canvas/kinds/action-input";
import { approvalKind } from "@/components/canvas/kinds/approval";
import type { CanvasKind } from "@/components/canvas/kinds/canvas-kind";
import { codeKind } from "@/components/canvas/kinds/code";
import { conditionKind } from "@/components/canvas/kinds/condition";
import { connectorKind } from "@/components/canvas/kinds/connector";
import { delayKind } from "@/components/canvas/kinds/delay";
import { llmKind } from "@/components/canvas/kinds/llm";
import { loopKind } from "@/components/canvas/kinds/loop";
import { returnOutputKind } from "@/components/canvas/kinds/return-output";
import { subWorkflowKind } from "@/components/canvas/kinds/sub-workflow";
import { switchKind } from "@/components/canvas/kinds/switch";
import { transformKind } from "@/components/canvas/kinds/transform";
import { triggerKind } from "@/components/canvas/kinds/trigger";

/** What the canvas draws of each step kind. A kind that is missing here does not compile. */
export const CANVAS_KINDS: Record<NodeType, CanvasKind> = {
  action_input: actionInputKind,
  trigger: triggerKind,
  condition: conditionKind,
  switch: switchKind,
  loop: loopKind,
  delay: delayKind,
  approval: approvalKind,
  sub_workflow: subWorkflowKind,
  code: codeKind,
  transform: transformKind,
  connector: connectorKind,
  llm: llmKind,
  return_output: returnOutputKind,
};
