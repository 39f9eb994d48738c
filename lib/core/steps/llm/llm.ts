import type { GraphNode } from "#lib/contract/graph";
import { StepError } from "#lib/contract/step-error";
import type { PreparedNode, TemplateValues } from "#lib/core/engine/plan";
import { resolveTemplate } from "#lib/core/expressions/resolve-template";
import { toText } from "#lib/core/expressions/to-text";
import { callThroughBreaker, type FindOperation } from "#lib/core/steps/call-operation";
import { llmKind } from "#lib/core/steps/llm/llm-kind";
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
  const { connection_id, model, system, prompt, output_schema, temperature, max_tokens } = parseData(llmKind, node);
  const fixed = {
    ...(output_schema ? { output_schema } : {}),
    ...(typeof temperature === "number" ? { temperature } : {}),
    ...(typeof max_tokens === "number" ? { max_tokens } : {}),
  };
  return {
    resolveInput: (scope) => ({
      model,
      ...(system ? { system: textOf(system, scope) } : {}),
      prompt: textOf(prompt, scope),
      ...fixed,
    }),
    execute: async (input, context) => {
      const connection = await context.services.connections.open(connection_id);
      const { connector } = connection;
      const operation = find(connector, OPERATION);
      if (operation) return callThroughBreaker({ connector, operation, params: input, connection }, context);
      throw new StepError(
        "connection_missing",
        `connection_id: ${connection.name} is a connection to ${connector}, which does not offer models`,
      );
    },
    isIdempotent: () => true,
  };
}

/** A prompt that is a single expression can evaluate to a list or an object; the model gets its JSON. */
function textOf(template: string, scope: TemplateValues): string {
  return toText(resolveTemplate(template, scope));
}
