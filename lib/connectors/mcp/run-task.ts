import { z } from "zod";
import { pauseFor } from "#lib/connectors/mcp/pause-for";
import type { McpSession } from "#lib/connectors/mcp/protocol";
import { readResult } from "#lib/connectors/mcp/read-result";
import { type McpRequest, type McpService, sendMessage } from "#lib/connectors/mcp/send-message";
import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/run/step-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { AnsweredError } from "#lib/core/engine/answered-error";

const taskSchema = z.object({
  taskId: z.string().min(1).max(1_024),
  status: z.string(),
  statusMessage: z.string().optional().catch(undefined),
  pollInterval: z.number().nonnegative().optional().catch(undefined),
});
const createdSchema = z.object({ task: taskSchema });
const ENDED: ReadonlySet<string> = new Set(["completed", "failed", "cancelled"]);

/**
 * Calls a tool that only works in the background (2025-11-25, tasks), and waits for its end within the time of the step.
 * A cancelled step cancels the task.
 * @returns the result, as the tool would have answered it
 * @throws StepError
 */
export async function runTask(service: McpService, session: McpSession, request: McpRequest): Promise<JsonObject> {
  const task = { ttl: 2 * LIMITS.stepTimeoutMs };
  const params = { ...request.params, task };
  const created = createdSchema.safeParse(
    readResult(service, await sendMessage(service, session, { ...request, params })),
  );
  if (!created.success) throw new StepError("answer_unreadable", "The MCP server started no task for the tool");
  const { taskId } = created.data.task;
  try {
    await untilEnded(service, session, created.data.task);
  } catch (error) {
    if (service.signal.aborted) await cancel(service, session, taskId);
    throw error;
  }
  return readResult(service, await sendMessage(service, session, { method: "tasks/result", params: { taskId } }));
}

async function untilEnded(service: McpService, session: McpSession, first: z.output<typeof taskSchema>) {
  for (let task = first; !ENDED.has(task.status); ) {
    if (task.status === "input_required") {
      await cancel(service, session, task.taskId);
      throw new AnsweredError("tool_failed", "The tool asks for input, which a running workflow can't provide");
    }
    await pauseFor(Math.max(LIMITS.mcpTaskPollMs, task.pollInterval ?? 0), service.signal);
    const params = { taskId: first.taskId };
    const read = taskSchema.safeParse(
      readResult(service, await sendMessage(service, session, { method: "tasks/get", params })),
    );
    if (!read.success) throw new StepError("answer_unreadable", "The MCP server's answer about a task can't be read");
    task = read.data;
  }
}

/** The step's own time is over, so the message gets a moment of its own. */
async function cancel(service: McpService, session: McpSession, taskId: string): Promise<void> {
  const last = { ...service, signal: AbortSignal.timeout(1_000) };
  await sendMessage(last, session, { method: "tasks/cancel", params: { taskId } }).catch(() => undefined);
}
