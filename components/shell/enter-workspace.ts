import { postJson } from "@/components/api/post-json";

/**
 * Opens a workspace with a full page load, so that nothing of the previous one stays visible.
 * @throws ClientError if the user is no longer a member
 */
export async function enterWorkspace(workspaceId: string, path = "/workflows"): Promise<void> {
  await postJson("/api/workspace", { workspace_id: workspaceId });
  window.location.assign(path);
}
