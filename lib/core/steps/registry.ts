import type { NodeHandlers } from "#lib/core/engine/plan";
import { prepareActionInput } from "#lib/core/steps/action-input/action-input";
import { prepareApproval } from "#lib/core/steps/approval/approval";
import type { FindOperation } from "#lib/core/steps/call-operation";
import { prepareCode } from "#lib/core/steps/code/code";
import { prepareCondition } from "#lib/core/steps/condition/condition";
import { prepareConnector } from "#lib/core/steps/connector/connector";
import { prepareDelay } from "#lib/core/steps/delay/delay";
import { prepareLlm } from "#lib/core/steps/llm/llm";
import { prepareLoop } from "#lib/core/steps/loop/loop";
import { prepareReturnOutput } from "#lib/core/steps/return-output/return-output";
import { prepareSubWorkflow } from "#lib/core/steps/sub-workflow/sub-workflow";
import { prepareSwitch } from "#lib/core/steps/switch/switch";
import { prepareTransform } from "#lib/core/steps/transform/transform";
import { prepareTrigger } from "#lib/core/steps/trigger/trigger";

/**
 * What each node type does. A type that is missing here does not compile.
 * @param findOperation the connectors that are there
 */
export function nodeHandlers(findOperation: FindOperation): NodeHandlers {
  return {
    action_input: prepareActionInput,
    trigger: prepareTrigger,
    condition: prepareCondition,
    switch: prepareSwitch,
    loop: prepareLoop,
    delay: prepareDelay,
    approval: prepareApproval,
    sub_workflow: prepareSubWorkflow,
    code: prepareCode,
    transform: prepareTransform,
    connector: (node) => prepareConnector(node, findOperation),
    llm: (node) => prepareLlm(node, findOperation),
    return_output: prepareReturnOutput,
  };
}
