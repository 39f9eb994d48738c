import type { Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { CommandInput } from "#scripts/admin/admin-command";

/** A command for the running instance, and the settings that decide whether that instance is meant. */
export interface AdminRequest {
  command: string;
  args: string[];
  /** Empty if the user named none. */
  databaseUrl: string;
  encryptionKeys: string;
}

/** What the instance sends: any number of questions to the user, and then one of the other messages. */
export type InstanceMessage =
  | { ask: keyof CommandInput; about: string }
  | { output: string }
  | { error: string }
  | { isOther: true };
export type UserAnswer = { value: string } | { error: string };

/** Returns the socket of the instance that runs on a data folder. */
export function adminSocket(dataDir: string): string {
  return join(dataDir, "admin.sock");
}

/** Sends one message, as a line. */
export function sendLine(socket: Socket, message: AdminRequest | InstanceMessage | UserAnswer): void {
  socket.write(`${JSON.stringify(message)}\n`);
}

/**
 * Reads the messages of a socket in order.
 * @returns a function that returns null when the other side has gone
 */
export function readLines<Message>(socket: Socket): () => Promise<Message | null> {
  // A socket that fails also closes, and no one but the reader waits for it.
  socket.on("error", () => {});
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  return async () => {
    const { value, done } = await lines.next();
    return done ? null : (JSON.parse(value) as Message);
  };
}
