import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { InputSchema } from "#lib/contract/json-schema";
import { curlPoll, curlRun, mcpClientSnippets, shellQuote, typescriptRun } from "@/components/actions/snippets";

const execute = promisify(execFile);
const KEY = "svc_0123456789abcdefghijklmnopqrstuv";
const INPUT = { name: 'O\'Brien "the" $HOME `id` \\ тест', lines: "a\nb" };
const SCHEMA: InputSchema = {
  type: "object",
  properties: { name: { type: "string" }, lines: { type: "string" } },
  required: ["name"],
};

interface Seen {
  method: string | undefined;
  url: string | undefined;
  authorization: string | undefined;
  body: unknown;
}

/** Answers as the runtime does: a run that is accepted, then finished when it is read. */
let baseUrl = "";
const seen: Seen[] = [];
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const text = Buffer.concat(chunks).toString();
    const { authorization } = request.headers;
    seen.push({ method: request.method, url: request.url, authorization, body: text === "" ? null : JSON.parse(text) });
    const run = { run_id: "r1", status: request.method === "POST" ? "accepted" : "succeeded", output: { ok: true } };
    response.writeHead(request.method === "POST" ? 202 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(run));
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const shell = (script: string) => execute("sh", ["-c", script], { env: { ...process.env, SVC_API_KEY: KEY } });

describe("the snippets, run as they are shown", () => {
  it("curl sends the input unharmed, whatever quotes it holds", async () => {
    seen.length = 0;
    await shell(curlRun({ baseUrl, slug: "greet", input: INPUT, isDryRun: true }));
    expect(seen).toEqual([
      {
        method: "POST",
        url: "/api/v1/runtime/actions/greet/run",
        authorization: `Bearer ${KEY}`,
        body: { input: INPUT, dry_run: true },
      },
    ]);
  });

  it("curl reads the run", async () => {
    seen.length = 0;
    const { stdout } = await shell(`RUN_ID=r1; ${curlPoll(baseUrl)}`);
    expect(JSON.parse(stdout)).toMatchObject({ status: "succeeded" });
    expect(seen[0]?.url).toBe("/api/v1/runtime/runs/r1");
  });

  it("TypeScript starts the run, waits for its end and prints the output", async () => {
    const folder = await mkdtemp(join(tmpdir(), "signalbox-snippet-"));
    const file = join(folder, "call.ts");
    const output = { type: "object", properties: { ok: { type: "boolean" } } } as const;
    await writeFile(file, typescriptRun({ baseUrl, slug: "greet", input: INPUT }, SCHEMA, output));
    const { stdout } = await execute(process.execPath, [file], { env: { ...process.env, SVC_API_KEY: KEY } });
    await rm(folder, { recursive: true });
    expect(stdout).toContain("{ ok: true }");
  });
});

it("no snippet holds a key, or a way in other than Bearer", () => {
  const all = [
    curlRun({ baseUrl, slug: "greet", input: INPUT }),
    curlPoll(baseUrl),
    ...mcpClientSnippets(baseUrl).map((snippet) => snippet.code),
  ];
  for (const code of all) {
    expect(code).toContain("Bearer ");
    expect(code).not.toMatch(/svc_|x-api-key|X-API-Key|[Cc]ookie/);
  }
});

it("a type is written as its schema says", () => {
  const code = typescriptRun({ baseUrl, slug: "greet", input: {} }, { ...SCHEMA, required: ["name"] }, null);
  expect(code).toContain("  name: string;\n  lines?: string;");
  expect(code).toContain("type Output = Record<string, unknown>;");
});

it("shellQuote survives the shell", async () => {
  const { stdout } = await shell(`printf %s ${shellQuote(INPUT.name)}`);
  expect(stdout).toBe(INPUT.name);
});
