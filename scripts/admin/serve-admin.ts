import { rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import type { CommandInput } from "#scripts/admin/admin-command";
import {
  type AdminRequest,
  adminSocket,
  type InstanceMessage,
  readLines,
  sendLine,
  type UserAnswer,
} from "#scripts/admin/admin-socket";

/** Only the user who started the instance may connect. That user can also read its secrets and its database. */
const OTHERS = 0o177;

/**
 * Runs admin commands for their user, who connects to a socket in the data folder. This process has an open pool and a
 * Prisma client that has compiled its engine, which costs each command of its own process 0.3 s.
 */
export function serveAdmin(dataDir: string): Server {
  const path = adminSocket(dataDir);
  // A killed process leaves it. The data folder belongs to one instance (instance.ts).
  rmSync(path, { force: true });
  const server = createServer((socket) => void serve(socket));
  // Without a socket, as on a read-only folder, commands run in their own processes.
  server.on("error", () => {});
  const usual = process.umask(OTHERS);
  server.listen(path);
  process.umask(usual);
  process.once("exit", () => rmSync(path, { force: true }));
  return server.unref();
}

async function serve(socket: Socket): Promise<void> {
  const read = readLines<AdminRequest | UserAnswer>(socket);
  const request = (await read()) as AdminRequest | null;
  if (request === null) return;
  const input: CommandInput = {
    readSecret: (about) => askUser({ ask: "readSecret", about }),
    readText: (about) => askUser({ ask: "readText", about }),
  };
  const askUser = async (question: InstanceMessage) => {
    sendLine(socket, question);
    const answer = (await read()) as UserAnswer | null;
    if (answer === null) throw new Error("The user has gone.");
    if ("error" in answer) throw new Error(answer.error);
    return answer.value;
  };
  sendLine(socket, await run(request, input));
  socket.end();
}

async function run({ command, args, ...named }: AdminRequest, input: CommandInput): Promise<InstanceMessage> {
  const { DATABASE_URL, ENCRYPTION_KEYS } = process.env;
  const isMeant = (setting: string, own = "") => setting === "" || setting === own;
  if (!isMeant(named.databaseUrl, DATABASE_URL) || !isMeant(named.encryptionKeys, ENCRYPTION_KEYS)) {
    return { isOther: true };
  }
  try {
    // Loaded with the first command, with what that command needs.
    const { runAdmin } = await import("#scripts/admin/run-admin");
    return { output: await runAdmin(command, args, input) };
  } catch (error) {
    return { error: (error as Error).message || String(error) };
  }
}
