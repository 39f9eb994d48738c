import { ssoPath } from "#lib/contract/account/sso-path";
import { twoStepPath } from "#lib/contract/account/two-step-path";
import { needsSso, needsTwoStep } from "@/components/api/client-error";
import { postJson } from "@/components/api/post-json";

/**
 * Opens a workspace with a full page load, so that nothing of the previous one stays visible. If the workspace requires
 * single sign-on or two-step verification of the user first, that page opens and continues to `path`.
 * @throws ClientError if the user is no longer a member
 */
export async function enterWorkspace(workspaceId: string, path = "/workflows"): Promise<void> {
  try {
    await postJson("/api/workspace", { workspace_id: workspaceId });
  } catch (error) {
    if (!needsTwoStep(error) && !needsSso(error)) throw error;
    const pathOf = needsSso(error) ? ssoPath : twoStepPath;
    window.location.assign(pathOf({ workspaceId, returnTo: path }));
    return;
  }
  window.location.assign(path);
}
