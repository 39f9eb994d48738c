import { type CallTool, callOrThrow } from "#bench/mistakes/mcp-caller";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";

/** The answers of steps that call something outside. Code returns these answers instead. */
const ANSWERS: Readonly<Record<string, object>> = {
  fetch: { status: 200, headers: {}, body: { items: [] } },
  model: { text: "{}", object: { category: "a" }, usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } },
  notify: { message_id: 1 },
};
const INPUT = { email: "ada@example.com", amount: 150, order: { id: 1 }, tags: ["a", "b"] };

/**
 * Publishes a definition whose mistake no check reported, runs it, and approves its waiting steps.
 * @returns true if the run succeeded without a warning, so that no one learns of the mistake
 */
export async function runForReal(call: CallTool, definition: Definition, slug: string): Promise<boolean> {
  const nodes = definition.nodes.map(withoutCalls);
  const { workflow_id: id } = await callOrThrow(call, "create_workflow", {
    name: slug,
    definition: { ...definition, nodes },
  });
  const deployed = await call("deploy_workflow", { workflow_id: id, slug });
  if (deployed.isError) return false;
  const { run_id: runId } = await callOrThrow(call, "run_action", { slug, input: INPUT });
  let run = await callOrThrow(call, "wait_for_run", { run_id: runId, timeout_seconds: 25 });
  if (run.status === "waiting_for_approval") {
    await callOrThrow(call, "approve_run", { run_id: runId, decision: "approved" });
    run = await callOrThrow(call, "wait_for_run", { run_id: runId, timeout_seconds: 25 });
  }
  const hasWarnings = Array.isArray(run.warnings) && run.warnings.length > 0;
  return run.status === "succeeded" && !hasWarnings;
}

function withoutCalls(node: GraphNode): GraphNode {
  const answer = ANSWERS[node.id];
  if (answer === undefined || !["connector", "llm"].includes(node.type)) return node;
  return { ...node, type: "code", data: { source: `return ${JSON.stringify(answer)};`, input: {} } };
}
