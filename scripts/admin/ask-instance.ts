import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { CommandInput } from "#scripts/admin/admin-command";
import {
  type AdminRequest,
  adminSocket,
  type InstanceMessage,
  readLines,
  sendLine,
  type UserAnswer,
} from "#scripts/admin/admin-socket";

/**
 * Lets the instance that runs on a data folder run a command: it has loaded the code and is connected.
 * @returns the JSON text for stdout, or null if no such instance runs, or if it does not have the database or keys that
 *   the user named
 * @throws Error of the command, with a message for people
 */
export async function askInstance(dataDir: string, request: AdminRequest, input: CommandInput): Promise<string | null> {
  const socket = await tryConnect(adminSocket(dataDir));
  if (socket === null) return null;
  try {
    const read = readLines<InstanceMessage>(socket);
    sendLine(socket, request);
    for (let message = await read(); message !== null; message = await read()) {
      if ("output" in message) return message.output;
      if ("isOther" in message) return null;
      if ("error" in message) throw new Error(message.error);
      sendLine(socket, await answer(message, input));
    }
    throw new Error("The instance stopped before it answered. Check what the command changed, and run it again.");
  } finally {
    socket.destroy();
  }
}

async function tryConnect(path: string): Promise<Socket | null> {
  const socket = connect(path);
  try {
    await once(socket, "connect");
    return socket;
  } catch {
    // The file is missing, a killed process left it, or another user owns it.
    return null;
  }
}

async function answer({ ask, about }: { ask: keyof CommandInput; about: string }, input: CommandInput) {
  try {
    return { value: await input[ask](about) } satisfies UserAnswer;
  } catch (error) {
    return { error: (error as Error).message } satisfies UserAnswer;
  }
}
