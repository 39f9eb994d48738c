import { postEnterWorkspace } from "#lib/surfaces/enter-workspace-route";

export const POST = postEnterWorkspace;
