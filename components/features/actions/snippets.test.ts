import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { useRunningProduct } from "#lib/api/testing/running-product.fixture";
import type { InputSchema, OutputSchema } from "#lib/contract/wire/json-schema";
import { mcpCallSnippets, mcpClientSnippets } from "@/components/features/actions/mcp-snippets";
import {
  clientRun,
  curlActions,
  curlClient,
  curlPoll,
  curlRun,
  pythonRun,
  shellQuote,
  typescriptRun,
} from "@/components/features/actions/snippets";

// Runs what people copy from the pages exactly as it is shown, against REST and MCP over real HTTP and a real worker.

const product = useRunningProduct();

const INPUT = { name: 'O\'Brien "the" $HOME `id` \\ тест', lines: "a\nb" };
const SCHEMA: InputSchema = {
  type: "object",
  properties: { name: { type: "string" }, lines: { type: "string" } },
  required: ["name"],
};
const OUTPUT: OutputSchema = { type: "object", properties: { said: { type: "object" } } };
const subject = (slug = "echo") => ({ baseUrl: product.baseUrl, slug, input: INPUT });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "signalbox-snippet-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** A user's shell: the project's programs on the path, the key in the environment. */
async function runIn(cwd: string, program: string, ...args: string[]): Promise<string> {
  const PATH = `${join(process.cwd(), "node_modules", ".bin")}:${process.env.PATH}`;
  const env = { ...process.env, PATH, SVC_API_KEY: product.key };
  return (await promisify(execFile)(program, args, { env, cwd })).stdout;
}
const run = (program: string, ...args: string[]) => runIn(folder, program, ...args);
const shell = (script: string) => run("sh", "-c", script);

async function runFile(name: string, program: string, code: string): Promise<string> {
  await writeFile(join(folder, name), code);
  return run(program, name);
}

describe("curl", () => {
  test("sends the input unchanged, whatever quotes it contains", async () => {
    const started = JSON.parse(await shell(curlRun(subject())));
    expect(started).toMatchObject({ action_slug: "echo", status: "accepted", input: INPUT });
    const dry = JSON.parse(await shell(curlRun({ ...subject(), isDryRun: true })));
    expect(dry).toMatchObject({ status: "succeeded", dry_run: true, input: INPUT });
  });

  test("waits for the run", async () => {
    const { run_id: runId } = JSON.parse(await shell(curlRun(subject())));
    const read = JSON.parse(await shell(`RUN_ID=${runId}; ${curlPoll(product.baseUrl)}`));
    expect(read).toMatchObject({ run_id: runId, status: "succeeded", output: { said: INPUT } });
  });

  test("finds the actions", async () => {
    const { data } = JSON.parse(await shell(curlActions(product.baseUrl)));
    expect(data.map(({ slug }: { slug: string }) => slug)).toEqual(["held", "echo"]);
  });
});

describe("TypeScript", () => {
  test("starts the run, waits until it ends and prints the output", async () => {
    const printed = await runFile("call.ts", process.execPath, typescriptRun(subject(), SCHEMA, OUTPUT));
    expect(printed).toContain("said:");
    expect(printed).toContain("тест");
  });

  test("with the client downloaded from the application", async () => {
    await shell(curlClient(product.baseUrl));
    const printed = await runFile("client.mts", process.execPath, clientRun(subject()));
    expect(printed).toContain("said:");
    expect(printed).toContain("тест");
  });

  test("prints the reason of a refusal", async () => {
    const call = runFile("wrong.ts", process.execPath, typescriptRun(subject("nothing"), SCHEMA, null));
    await expect(call).rejects.toThrow("ACTION_NOT_FOUND: There is no action nothing.");
  });
});

const hasPython = (() => {
  try {
    return execFileSync("python3", ["--version"]).toString().startsWith("Python 3");
  } catch {
    return false;
  }
})();

// Reported as skipped if python3 is not installed.
describe.skipIf(!hasPython)("Python, with only its standard library", () => {
  test("starts the run, waits until it ends and prints the output", async () => {
    expect(JSON.parse(await runFile("call.py", "python3", pythonRun(subject())))).toEqual({ said: INPUT });
  });

  test("prints the reason of a refusal", async () => {
    await expect(runFile("wrong.py", "python3", pythonRun(subject("nothing")))).rejects.toThrow("ACTION_NOT_FOUND");
  });
});

describe("MCP", () => {
  interface Server {
    url: string;
    headers: Record<string, string>;
  }
  const filled = (text: string) =>
    text.replace(/\$\{(?:env:SVC_API_KEY|input:svc-api-key)\}|\$SVC_API_KEY/g, product.key);
  const fromJson =
    (path: string[], urlField = "url") =>
    (code: string): Server => {
      const config = path.reduce<unknown>(
        (part, name) => (part as Record<string, unknown>)[name],
        JSON.parse(filled(code)),
      );
      const { [urlField]: url, headers } = config as Record<string, unknown>;
      return { url: String(url), headers: headers as Server["headers"] };
    };

  /** The server entry that each client reads from its configuration. */
  const READERS: Record<string, (code: string) => Server | Promise<Server>> = {
    "Claude Code": async (code) => {
      const words = (await shell(`claude() { printf '%s\\n' "$@"; }; ${code}`)).trim().split("\n");
      const header = words[words.indexOf("--header") + 1] ?? "";
      expect(words.slice(0, 5)).toEqual(["mcp", "add", "--transport", "http", "signalbox"]);
      const [name = "", value = ""] = header.split(": ");
      return { url: words[5] ?? "", headers: { [name]: value } };
    },
    "Cursor (.cursor/mcp.json)": fromJson(["mcpServers", "signalbox"]),
    "VS Code (.vscode/mcp.json)": fromJson(["servers", "signalbox"]),
    "Gemini CLI (~/.gemini/settings.json)": fromJson(["mcpServers", "signalbox"], "httpUrl"),
    "Codex (~/.codex/config.toml)": (code) => {
      const [table, ...pairs] = code.split("\n");
      expect(table).toBe("[mcp_servers.signalbox]");
      const values = Object.fromEntries(pairs.map((pair) => pair.split(" = ").map((part) => part.replaceAll('"', ""))));
      expect(values.bearer_token_env_var).toBe("SVC_API_KEY");
      return { url: values.url, headers: { authorization: `Bearer ${product.key}` } };
    },
  };

  test.each(Object.keys(READERS))("the configuration of %s connects to the tools", async (label) => {
    const code = mcpClientSnippets(product.baseUrl).find((snippet) => snippet.label === label)?.code ?? "";
    const server = await READERS[label]?.(code);
    const client = new Client({ name: "test", version: "1" });
    const requestInit = { headers: server?.headers ?? {} };
    await client.connect(new StreamableHTTPClientTransport(new URL(server?.url ?? ""), { requestInit }));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("run_action");
    await client.close();
  });

  test("the inspector's command lists the tools", async () => {
    const code = mcpClientSnippets(product.baseUrl).find(({ label }) => label === "Inspector")?.code ?? "";
    // If the inspector is installed, npx uses that one.
    const { tools } = JSON.parse(await runIn(process.cwd(), "sh", "-c", code));
    expect(tools.map(({ name }: { name: string }) => name)).toContain("run_action");
  });

  test("every client on the page is tested here", () => {
    const shown = mcpClientSnippets(product.baseUrl).map(({ label }) => label);
    expect(shown.toSorted()).toEqual([...Object.keys(READERS), "Inspector"].toSorted());
  });

  test("the tool calls start a run and wait for it", async () => {
    const client = new Client({ name: "test", version: "1" });
    const requestInit = { headers: { authorization: `Bearer ${product.key}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${product.baseUrl}/mcp`), { requestInit }));
    const [start, wait] = mcpCallSnippets(subject()).map(({ code }) => code);
    const started = await client.callTool(JSON.parse(start ?? ""));
    const { run_id: runId } = started.structuredContent as { run_id: string };
    const waited = await client.callTool(JSON.parse((wait ?? "").replace("<run_id of the answer>", runId)));
    expect(waited.structuredContent).toMatchObject({ status: "succeeded", output: { said: INPUT } });
    await client.close();
  });
});

test("no snippet contains a key or any credentials other than Bearer", () => {
  const all = [
    curlRun(subject()),
    curlActions(product.baseUrl),
    curlPoll(product.baseUrl),
    typescriptRun(subject(), SCHEMA, null),
    ...mcpClientSnippets(product.baseUrl).map((snippet) => snippet.code),
  ];
  for (const code of all) {
    expect(code).toMatch(/Bearer |bearer_token_env_var/);
    expect(code).not.toMatch(/svc_|x-api-key|X-API-Key|[Cc]ookie/);
  }
});

test("a type matches its schema", () => {
  const code = typescriptRun({ ...subject(), input: {} }, { ...SCHEMA, required: ["name"] }, null);
  expect(code).toContain("  name: string;\n  lines?: string;");
  expect(code).toContain("type Output = Record<string, unknown>;");
});

test("shell quoting preserves any text", async () => {
  expect(await shell(`printf %s ${shellQuote(INPUT.name)}`)).toBe(INPUT.name);
});
