import { runActionOperation } from "#lib/api/operations/calls/run-action";
import { OPERATIONS } from "#lib/api/operations/registry";
import { restRoute } from "#lib/api/rest/rest-route";
import type { Scope } from "#lib/contract/key/scopes";
import { createKey } from "#lib/domain/keys/create-key";
import { deployWorkflow } from "#lib/domain/publish/deploy-workflow";
import { createWorkflow, type Editor } from "#lib/domain/workflows/create-workflow";
import { greeting, newEditor } from "#lib/domain/workflows/workflow.fixture";
import { db } from "#lib/platform/db/pool";

type Owner = Editor & { userId: string };

/** For tests: a workspace with enough keys and requests for any test, and the actions `greet` and `paused`. */
export async function newWorkspace(name: string): Promise<Owner> {
  const editor = await newEditor(name);
  const { workspaceId } = editor;
  await db().query("update workspaces set plan = 'business' where id = $1", [workspaceId]);
  for (const slug of ["greet", "paused"]) {
    const draft = { name: slug, description: null, definition: greeting() };
    const { workflow_id: workflowId } = await createWorkflow(editor, draft);
    await deployWorkflow(editor, { workflowId, slug });
  }
  await db().query("update actions set status = 'paused' where workspace_id = $1 and slug = 'paused'", [workspaceId]);
  return editor;
}

/** For tests: creates a key and returns the raw key. Without scopes it has the contract's six defaults. */
export async function newKey(owner: Owner, ...scopes: Scope[]): Promise<string> {
  return (await createKey({ ...owner, name: "test", ...(scopes.length > 0 ? { scopes } : {}) })).raw_key;
}

/** For tests: the tools that a key with these scopes can call, in the order of the registry. */
export function listToolNames(scopes: readonly Scope[]): string[] {
  const isGranted = (scope: string) => (scopes as readonly string[]).includes(scope);
  return OPERATIONS.filter(({ mcp, scope }) => mcp && [scope].flat().every(isGranted)).map(({ name }) => name);
}

/** For tests: sends one POST like the simplest client. */
export async function sendRpc(url: string, rawKey: string | null, method: string, params: unknown = {}) {
  const response = await fetch(url, {
    method: "POST",
    headers: rawKey === null ? {} : { authorization: `Bearer ${rawKey}` },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** For tests: returns what an agent sees of one call. */
export async function callTool(url: string, rawKey: string | null, name: string, args: unknown) {
  const { status, headers, body } = await sendRpc(url, rawKey, "tools/call", { name, arguments: args });
  const { content, isError = false, structuredContent } = body.result;
  const [first, hint] = content as { text: string }[];
  return { status, headers, isError, body: JSON.parse(first?.text ?? ""), hint: hint?.text, structuredContent };
}

/** For tests: starts the same run over REST. */
export function runOverRest(rawKey: string, slug: string, body: unknown): Promise<Response> {
  const request = new Request("http://localhost/", {
    method: "POST",
    headers: { authorization: `Bearer ${rawKey}` },
    body: JSON.stringify(body),
  });
  return restRoute(runActionOperation)(request, { slug });
}
