import type { PropertyType } from "#lib/contract/wire/json-schema";
import type { Definition } from "#lib/contract/workflow/graph";
import type { Editor } from "#lib/domain/workflows/create-workflow";
import { db } from "#lib/platform/db/pool";
import { uuidv7 } from "#lib/support/ids";

interface Property {
  name: string;
  type: PropertyType;
  required: boolean;
  aliases?: string[];
}

/** For tests: returns the smallest publishable definition with the given input. */
export function greeting(properties: Property[] = [{ name: "who", type: "string", required: true }]): Definition {
  return {
    nodes: [
      { id: "start", type: "action_input", position: { x: 0, y: 0 }, data: { properties } },
      {
        id: "answer",
        type: "return_output",
        position: { x: 0, y: 200 },
        data: { properties: [{ name: "text", type: "string", required: false, value: "Hello" }] },
      },
    ],
    edges: [{ id: "e1", source: "start", target: "answer" }],
  };
}

/** For tests: creates a workspace with its owner as the editor. */
export async function newEditor(name: string): Promise<Editor & { userId: string }> {
  const [userId, workspaceId] = [uuidv7(), uuidv7()];
  await db().query("insert into users (id, email, name, password_hash) values ($1, $2, $3, 'none')", [
    userId,
    `${name}-${userId}@example.com`,
    name,
  ]);
  await db().query("insert into workspaces (id, slug, name) values ($1, $2, $3)", [
    workspaceId,
    `${name}-${workspaceId.slice(-12)}`,
    name,
  ]);
  await db().query("insert into workspace_members (workspace_id, user_id, role) values ($1, $2, 'owner')", [
    workspaceId,
    userId,
  ]);
  return { workspaceId, userId, actor: { type: "user", id: userId, name } };
}
