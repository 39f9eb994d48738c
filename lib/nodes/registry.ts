import type { NodeHandlers } from "#lib/engine/plan";
import { prepareActionInput } from "#lib/nodes/action-input";
import { prepareApproval } from "#lib/nodes/approval";
import type { FindOperation } from "#lib/nodes/call-operation";
import { prepareCode } from "#lib/nodes/code";
import { prepareCondition } from "#lib/nodes/condition";
import { prepareConnector } from "#lib/nodes/connector";
import { prepareDelay } from "#lib/nodes/delay";
import { prepareLlm } from "#lib/nodes/llm";
import { prepareLoop } from "#lib/nodes/loop";
import { prepareReturnOutput } from "#lib/nodes/return-output";
import { prepareSubWorkflow } from "#lib/nodes/sub-workflow";
import { prepareSwitch } from "#lib/nodes/switch";
import { prepareTransform } from "#lib/nodes/transform";
import { prepareTrigger } from "#lib/nodes/trigger";

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
