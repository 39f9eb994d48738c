import { hasRole, ROLES, type Role } from "#lib/contract/roles";

/** What each role adds to the one before it, least first. */
export const ROLE_WORDS: Record<Role, { label: string; about: string }> = {
  viewer: { label: "Viewer", about: "Sees workflows, actions, runs and connections, and changes nothing." },
  approver: { label: "Approver", about: "Also approves and rejects runs that wait for a person." },
  editor: { label: "Editor", about: "Also draws, publishes, runs and cancels, and makes connections." },
  admin: { label: "Admin", about: "Also manages people, API keys and settings, and reads the audit log." },
  owner: { label: "Owner", about: "Also makes and removes owners. A workspace has at least one." },
};

/** The roles somebody may give: none above their own. */
export function grantableRoles(own: Role): Role[] {
  return ROLES.filter((role) => hasRole(own, role));
}
