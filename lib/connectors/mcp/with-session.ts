import { openMcpSession } from "#lib/connectors/mcp/open-mcp-session";
import type { McpSession } from "#lib/connectors/mcp/protocol";
import type { McpService } from "#lib/connectors/mcp/send-message";
import { urlOf } from "#lib/connectors/mcp/send-message";
import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/run/step-error";
import { sizedCache } from "#lib/support/sized-cache";

interface KnownSession {
  opening: Promise<McpSession | null>;
  openedAt: number;
}

/** Sessions of this process, by connection. Calls of many runs share one, as the requests of one client do. */
const sessions = sizedCache<string, KnownSession>(LIMITS.mcpSessions);

/** The statuses with which servers report a session, or an era, that they no longer know. Nothing was executed then. */
const LOST: ReadonlySet<unknown> = new Set([400, 404, 405, 410]);

/**
 * Does work in a session of a connection. A server that was restarted has forgotten it: then a new one is opened, and
 * the work is done again, once.
 * @param connectionId whose session is shared
 * @throws StepError
 */
export async function withSession<Result>(
  service: McpService,
  connectionId: string,
  work: (session: McpSession) => Promise<Result>,
): Promise<Result> {
  const key = `${connectionId} ${urlOf(service)}`;
  const known = await findSession(service, key);
  if (known) {
    try {
      return await work(known);
    } catch (error) {
      if (!(error instanceof StepError) || !LOST.has(error.details.status)) throw error;
    }
  }
  const opening = openMcpSession(service);
  // Callers that wait for this session open one of their own if it fails: its caller may have been cancelled.
  const shared = opening.catch(() => null);
  sessions.set(key, { opening: shared, openedAt: service.now().getTime() }, 1);
  return work(await opening);
}

async function findSession(service: McpService, key: string): Promise<McpSession | null> {
  const known = sessions.get(key);
  if (!known || service.now().getTime() - known.openedAt > LIMITS.mcpSessionMs) return null;
  return untilAborted(known.opening, service.signal);
}

/** Another caller opens the session, and its time may be longer. */
async function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener("abort", stop));
}
