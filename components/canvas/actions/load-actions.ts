/** Code of shortcuts and commands that change the drawing. It loads like the parts that open. */
export const loadPaste = () => import("@/components/canvas/actions/paste-actions");
export const loadCopyToNew = () => import("@/components/canvas/actions/copy-to-new");
