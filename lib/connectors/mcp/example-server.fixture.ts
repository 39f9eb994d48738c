import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import { startToolServer } from "#lib/connectors/mcp/tool-server.fixture";
import { reservePort } from "#scripts/testing/reserve-port";

export interface ExampleServer {
  url: string;
  close(): void;
}

const PACKAGES = join(process.cwd(), "node_modules", "@modelcontextprotocol");

/** For tests: starts the official server with every feature of the protocol, over Streamable HTTP. */
export async function startEverything(port?: number): Promise<ExampleServer & { port: number }> {
  const chosen = port ?? (await reservePort());
  const child = spawn(process.execPath, [join(PACKAGES, "server-everything/dist/index.js"), "streamableHttp"], {
    env: { ...process.env, PORT: String(chosen) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  await untilSaid(child, "listening on port");
  return { url: `http://127.0.0.1:${chosen}/mcp`, port: chosen, close: () => child.kill("SIGKILL") };
}

function untilSaid(child: ChildProcess, words: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = "";
    child.stderr?.setEncoding("utf8").on("data", (part: string) => {
      said += part;
      if (said.includes(words)) resolve();
    });
    child.once("exit", () => reject(new Error(`the example server ended: ${said}`)));
  });
}

const STDIO_SERVERS = {
  everything: ["server-everything/dist/index.js", "stdio"],
  memory: ["server-memory/dist/index.js"],
  filesystem: ["server-filesystem/dist/index.js"],
  sequentialThinking: ["server-sequential-thinking/dist/index.js"],
} as const;

/**
 * For tests: starts an official server that only uses its standard input, behind a bridge that serves its tools with
 * the stateless protocol.
 */
export async function startBridged(name: keyof typeof STDIO_SERVERS, ...args: string[]): Promise<ExampleServer> {
  const [script, ...own] = STDIO_SERVERS[name];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(PACKAGES, script), ...own, ...args],
    stderr: "ignore",
    env: { PATH: process.env.PATH ?? "", ...(name === "memory" ? { MEMORY_FILE_PATH: args[0] ?? "" } : {}) },
  });
  const client = new Client({ name: "bridge", version: "1.0.0" });
  await client.connect(transport);
  const { tools } = await client.listTools();
  const bridge = await startToolServer();
  bridge.tools.clear();
  // The stateless protocol has no tasks of its own.
  for (const tool of tools.filter(({ execution }) => execution?.taskSupport !== "required")) {
    const answer = async (given: object) =>
      (await client.request(
        { method: "tools/call", params: { name: tool.name, arguments: { ...given } } },
        CallToolResultSchema,
      )) as CallToolResult;
    bridge.tools.set(tool.name, { tool: tool as Tool, answer });
  }
  const close = () => {
    bridge.close();
    void client.close();
  };
  return { url: bridge.url, close };
}
