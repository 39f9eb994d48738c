import { postEnterWorkspace } from "#lib/api/auth/enter-workspace-route";

export const POST = postEnterWorkspace;
