import type { StepType } from "#lib/core/steps/step-kinds";
import { actionInputCanvasKind } from "@/components/canvas/kinds/action-input";
import { approvalCanvasKind } from "@/components/canvas/kinds/approval";
import type { CanvasKind } from "@/components/canvas/kinds/canvas-kind";
import { codeCanvasKind } from "@/components/canvas/kinds/code";
import { conditionCanvasKind } from "@/components/canvas/kinds/condition";
import { connectorCanvasKind } from "@/components/canvas/kinds/connector";
import { delayCanvasKind } from "@/components/canvas/kinds/delay";
import { filterCanvasKind } from "@/components/canvas/kinds/filter";
import { llmCanvasKind } from "@/components/canvas/kinds/llm";
import { loopCanvasKind } from "@/components/canvas/kinds/loop";
import { returnOutputCanvasKind } from "@/components/canvas/kinds/return-output";
import { subWorkflowCanvasKind } from "@/components/canvas/kinds/sub-workflow";
import { switchCanvasKind } from "@/components/canvas/kinds/switch";
import { transformCanvasKind } from "@/components/canvas/kinds/transform";
import { triggerCanvasKind } from "@/components/canvas/kinds/trigger";

/** What the canvas draws of each step kind. A kind that is missing here does not compile. */
export const CANVAS_KINDS: Record<StepType, CanvasKind> = {
  action_input: actionInputCanvasKind,
  trigger: triggerCanvasKind,
  condition: conditionCanvasKind,
  switch: switchCanvasKind,
  loop: loopCanvasKind,
  filter: filterCanvasKind,
  delay: delayCanvasKind,
  approval: approvalCanvasKind,
  sub_workflow: subWorkflowCanvasKind,
  code: codeCanvasKind,
  transform: transformCanvasKind,
  connector: connectorCanvasKind,
  llm: llmCanvasKind,
  return_output: returnOutputCanvasKind,
};
