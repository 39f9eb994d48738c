import type { GraphNode } from "#lib/contract/graph";
import { StepError } from "#lib/contract/step-error";
import type { PreparedNode, TemplateValues } from "#lib/core/engine/plan";
import { resolveTemplate } from "#lib/core/expressions/resolve-template";
import { toText } from "#lib/core/expressions/to-text";
import { callThroughBreaker, type FindOperation } from "#lib/core/steps/call-operation";
import { llmKind } from "#lib/core/steps/llm/llm-kind";
import { parseData } from "#lib/core/steps/parse-data";

/** What a connector that serves models calls this. */
const OPERATION = "generate";

interface LlmInput {
  model: string;
  system?: string;
  prompt: string;
  output_schema?: Record<string, unknown>;
  temperature?: number;
  max_tokens?: number;
}

/** Asks a model; whose, and how it is called, follows from the connection (decisions, The graph document). */
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
        `connection_id: ${connection.name} is to ${connector}, which has no models`,
      );
    },
    isIdempotent: () => true,
  };
}

/** A prompt that is one expression may give a list or an object; a model reads its JSON. */
function textOf(template: string, scope: TemplateValues): string {
  return toText(resolveTemplate(template, scope));
}
