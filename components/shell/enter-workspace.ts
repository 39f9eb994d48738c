import { postJson } from "@/components/api/post-json";

/**
 * Opens a workspace, with everything on the page read anew: nothing of the former one may stay in sight.
 * @throws ClientError when one is no member of it any more
 */
export async function enterWorkspace(workspaceId: string, path = "/workflows"): Promise<void> {
  await postJson("/api/workspace", { workspace_id: workspaceId });
  window.location.assign(path);
}
