/** The user and group that own nothing on most systems. */
const NOBODY = 65_534;

/**
 * Gives up the rights of root, for good. A child calls it when it has loaded its own files, so they may lie in a folder
 * that only root can read.
 * @returns true if this process has no such rights any more, or had none
 */
export function dropPrivileges(): boolean {
  if (process.getuid?.() !== 0) return true;
  try {
    process.setgroups?.([]);
    process.setgid?.(NOBODY);
    process.setuid?.(NOBODY);
  } catch {
    // A container may take the right to change the user.
  }
  return process.getuid() !== 0;
}
