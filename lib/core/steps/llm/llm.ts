import { StepError } from "#lib/contract/run/step-error";
import type { GraphNode } from "#lib/contract/workflow/graph";
import type { PreparedNode } from "#lib/core/engine/plan";
import { resolveTemplate } from "#lib/core/expressions/resolve-template";
import { templateBudget } from "#lib/core/expressions/template-budget";
import { toText } from "#lib/core/expressions/to-text";
import { callThroughBreaker, type FindOperation } from "#lib/core/steps/call-operation";
import { llmData } from "#lib/core/steps/llm/llm-data";
import { parseData } from "#lib/core/steps/parse-data";

/** The operation's name in every connector that serves models. */
const OPERATION = "generate";

interface LlmInput {
  model: string;
  system?: string;
  prompt: string;
  output_schema?: Record<string, unknown>;
  temperature?: number;
  max_tokens?: number;
}

/**
 * Calls a language model. The connection determines the provider and how it is called (decisions, The graph document).
 */
export function prepareLlm(node: GraphNode, find: FindOperation): PreparedNode<LlmInput> {
  const { connection_id, model, system, prompt, output_schema, temperature, max_tokens } = parseData(llmData, node);
  const fixed = {
    ...(output_schema ? { output_schema } : {}),
    ...(typeof temperature === "number" ? { temperature } : {}),
    ...(typeof max_tokens === "number" ? { max_tokens } : {}),
  };
  return {
    resolveInput: (scope, _runInput, unresolved) => {
      // A prompt that is a single expression can evaluate to a list or an object; the model gets its JSON.
      const textOf = (field: string, template: string) =>
        toText(resolveTemplate(template, scope, templateBudget(unresolved), field));
      return {
        model,
        ...(system ? { system: textOf("system", system) } : {}),
        prompt: textOf("prompt", prompt),
        ...fixed,
      };
    },
    execute: async (input, context) => {
      const connection = await context.services.connections.open(connection_id);
      const { connector } = connection;
      const operation = find(connector, OPERATION, connection_id);
      const { correction } = context;
      const params = correction === null ? input : { ...input, correction };
      if (operation)
        return callThroughBreaker({ connector, connectionId: connection_id, operation, params, connection }, context);
      throw new StepError(
        "connection_missing",
        `connection_id: ${connection.name} is a connection to ${connector}, which does not offer models`,
      );
    },
    isIdempotent: () => true,
  };
}
