import type { SnippetSubject } from "@/components/features/actions/snippets";
import type { Snippet } from "@/components/ui/code-block";

/** The name that the clients give the server. */
const NAME = "signalbox";

const json = (value: unknown) => JSON.stringify(value, null, 2);

/** How to add the server to each client. All of them read the key from the environment or ask for it. */
export function mcpClientSnippets(baseUrl: string): readonly Snippet[] {
  // The answers that a model needs, and no more (decisions, MCP).
  const url = `${baseUrl}/mcp?answers=short`;
  const bearer = (variable: string) => ({ Authorization: `Bearer ${variable}` });
  return [
    {
      label: "Claude Code",
      code: `claude mcp add --transport http ${NAME} "${url}" \\\n  --header "Authorization: Bearer $SVC_API_KEY"`,
    },
    {
      label: "Cursor (.cursor/mcp.json)",
      code: json({ mcpServers: { [NAME]: { url, headers: bearer(`\${env:SVC_API_KEY}`) } } }),
    },
    {
      label: "VS Code (.vscode/mcp.json)",
      code: json({
        inputs: [{ type: "promptString", id: "svc-api-key", description: "Signalbox API key", password: true }],
        servers: { [NAME]: { type: "http", url, headers: bearer(`\${input:svc-api-key}`) } },
      }),
    },
    {
      label: "Codex (~/.codex/config.toml)",
      code: `[mcp_servers.${NAME}]\nurl = "${url}"\nbearer_token_env_var = "SVC_API_KEY"`,
    },
    {
      label: "Gemini CLI (~/.gemini/settings.json)",
      code: json({ mcpServers: { [NAME]: { httpUrl: url, headers: bearer("$SVC_API_KEY") } } }),
    },
    {
      label: "Inspector",
      code: `npx @modelcontextprotocol/inspector --cli "${url}" --transport http \\\n  --method tools/list --header "Authorization: Bearer $SVC_API_KEY"`,
    },
  ];
}

/** The calls that the agent then sends: run the action, and wait longer if it has not ended. */
export function mcpCallSnippets({ slug, input }: SnippetSubject): readonly Snippet[] {
  return [
    { label: "run_action", code: json({ name: "run_action", arguments: { slug, input, wait_seconds: 25 } }) },
    {
      label: "wait_for_run",
      code: json({ name: "wait_for_run", arguments: { run_id: "<run_id of the answer>" } }),
    },
  ];
}
