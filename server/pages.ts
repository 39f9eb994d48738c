import { readdir, readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { pathToFileURL } from "node:url";
import next from "next";
import { answerWhileBuilding } from "#lib/api/edge/answer-while-building";
import { env } from "#lib/platform/config/env";
import { log } from "#lib/platform/config/log";
import { readWebBuild } from "#lib/platform/config/web-build";

/** The pages of this process: what Next.js answers. */
export interface Pages {
  answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void>;
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 250;

/**
 * Opens the pages. If another process is still building them, the routes of programs are loaded from their sources, and
 * browsers wait.
 * @param server in development, whose connections Next.js needs for its reload of changed files
 */
export async function openPages(server: Server | null): Promise<Pages> {
  if (server !== null || readWebBuild() === "built") return await startNext(server);
  await loadProgramRoutes();
  return waitForBuild();
}

/** Loads the routes that answer without Next.js from their sources. With a build, Next.js loads them from there. */
async function loadProgramRoutes(): Promise<void> {
  const files = (await readdir("app", { recursive: true })).filter((file) => file.endsWith("route.ts"));
  const texts = await Promise.all(files.map((file) => readFile(`app/${file}`, "utf8")));
  const direct = files.filter((_, index) => texts[index]?.includes("serveDirectly("));
  await Promise.all(direct.map((file) => import(pathToFileURL(`app/${file}`).href)));
}

async function startNext(server: Server | null): Promise<Pages> {
  const { HOST, PORT } = env();
  // In production, Next.js gets a server without connections for its handler of upgrades: it would keep the sockets of
  // upgrades that it does not know open.
  const app = next({ dev: server !== null, hostname: HOST, port: PORT, httpServer: server ?? createServer() });
  const answer = app.getRequestHandler();
  await app.prepare();
  return { answer, close: () => app.close() };
}

function waitForBuild(): Pages {
  const since = performance.now();
  let built: Promise<Pages> | null = null;
  let pages: Pages | null = null;
  const timer = setInterval(() => {
    if (readWebBuild() !== "built") return;
    clearInterval(timer);
    built = startNext(null);
    built.then(
      (opened) => {
        pages = opened;
      },
      (error: unknown) => log.error({ err: error }, "the pages cannot be opened"),
    );
  }, LOOK_EVERY_MS);
  return {
    answer: async (incoming, outgoing) => {
      if (pages) await pages.answer(incoming, outgoing);
      else answerWhileBuilding(incoming, outgoing, readWebBuild(), since);
    },
    close: async () => {
      clearInterval(timer);
      await built?.then((opened) => opened.close());
    },
  };
}
