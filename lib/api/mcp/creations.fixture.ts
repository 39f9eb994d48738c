import { callTool } from "#lib/api/testing/mcp-test-caller";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { createWorkflow, type Editor } from "#lib/domain/workflows/create-workflow";
import { greeting } from "#lib/domain/workflows/workflow.fixture";
import { db } from "#lib/platform/db/pool";
import { uuidv7 } from "#lib/support/ids";

/** Where the calls of a test go, and whose workspace they create in. */
export interface Creator {
  url: string;
  rawKey: string;
  owner: Editor;
}

interface Creation {
  /** The table of what the tool creates. */
  table: string;
  args(creator: Creator): Promise<JsonObject>;
}

export async function newDraft(owner: Editor): Promise<string> {
  return (await createWorkflow(owner, { name: "draft", description: null, definition: greeting() })).workflow_id;
}

async function newEndedRun({ url, rawKey }: Creator): Promise<string> {
  const { body } = await callTool(url, rawKey, "run_action", { slug: "greet", input: { who: "Ada" } });
  await db().query("update runs set status = 'failed', completed_at = now() where id = $1", [body.run_id]);
  return body.run_id;
}

/** A slug that no other test uses. */
export function newSlug(prefix: string): string {
  return `${prefix}-${uuidv7().slice(-12)}`;
}

/** Arguments of every tool that creates something, and the table with what it creates. */
const CREATIONS: Record<string, Creation> = {
  create_workflow: { table: "workflows", args: async () => ({ name: "new", definition: greeting() }) },
  update_workflow: {
    table: "workflow_versions",
    args: async ({ owner }) => ({
      workflow_id: await newDraft(owner),
      name: "Renamed",
      deploy: { slug: newSlug("u") },
    }),
  },
  deploy_workflow: {
    table: "workflow_versions",
    args: async ({ owner }) => ({ workflow_id: await newDraft(owner), slug: newSlug("d") }),
  },
  replay_run: { table: "runs", args: async (creator) => ({ run_id: await newEndedRun(creator), mode: "from_start" }) },
  test_workflow: {
    table: "runs",
    args: async ({ owner }) => ({ workflow_id: await newDraft(owner), input: { who: "Ada" }, wait_seconds: 0 }),
  },
  build_connector: {
    table: "connector_builds",
    args: async () => ({
      slug: newSlug("c"),
      name: "Orders",
      base_url: "https://api.example.com",
      operations: [{ name: "list_orders", method: "GET", path: "/orders" }],
    }),
  },
};

export function creationOf(name: string): Creation {
  const creation = CREATIONS[name];
  if (!creation) throw new Error(`add arguments for ${name}`);
  return creation;
}

/** Returns how many rows of a table the workspace has. */
export async function countCreated(table: string, { workspaceId }: Editor): Promise<number> {
  const { rows } = await db().query(`select count(*)::int as n from ${table} where workspace_id = $1`, [workspaceId]);
  return rows[0].n;
}
