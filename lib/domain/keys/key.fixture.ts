import type { Scope } from "#lib/contract/key/scopes";
import type { CreatedKey } from "#lib/contract/wire/web";
import { createKey } from "#lib/domain/keys/create-key";
import type { TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";

export const TEST_ACTOR = { type: "system", id: null, name: "test" } as const;

/** For tests: creates a key of the workspace's owner. */
export async function addKey(
  workspace: TestWorkspace,
  options: { scopes?: Scope[]; expiresAt?: Date; actionSlugs?: string[]; name?: string } = {},
): Promise<CreatedKey> {
  const { name = "Test key", ...rest } = options;
  return createKey({ workspaceId: workspace.workspaceId, userId: workspace.userId, actor: TEST_ACTOR, name, ...rest });
}
