import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { MailSession } from "#lib/connectors/vendors/email/mail-session";
import { MailSocket } from "#lib/connectors/vendors/email/mail-socket";
import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/run/step-error";

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Connects to a session's mail server, uses the connection, and closes it. Neither the server nor a library that waits
 * for it can extend the call: it ends at the limit for its bytes, at the limit for its time, or with the step.
 * @throws StepError at a limit, the reason of the session's signal, or what `use` throws
 */
export async function withMailSocket<Answer>(
  session: MailSession,
  maxBytes: number,
  use: (socket: MailSocket) => Promise<Answer>,
): Promise<Answer> {
  const { signal } = session;
  const socket = new MailSocket(await openSocket(session), maxBytes, session.untilRoom);
  const abort = () => socket.fail(signal.reason);
  const late = setTimeout(() => socket.fail(tooLate()), LIMITS.mailCallMs);
  signal.addEventListener("abort", abort, { once: true });
  try {
    signal.throwIfAborted();
    return await Promise.race([socket.failed, use(socket)]);
  } finally {
    signal.removeEventListener("abort", abort);
    clearTimeout(late);
    socket.destroy();
  }
}

function tooLate(): StepError {
  return new StepError("service_timeout", `The mail server did not finish within ${LIMITS.mailCallMs / 1_000} s`);
}

/** Our own connection, because the libraries would resolve the name themselves. */
async function openSocket({ target: { host, port }, lookup, signal }: MailSession): Promise<Socket> {
  const socket = connect({ host, port, lookup });
  const patience = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_TIMEOUT_MS)]);
  try {
    await once(socket, "connect", { signal: patience });
    return socket;
  } catch (error) {
    socket.destroy();
    if (!patience.aborted || signal.aborted) throw error;
    throw Object.assign(new Error(`no connection within ${CONNECT_TIMEOUT_MS / 1000} s`), { code: "ETIMEDOUT" });
  }
}
