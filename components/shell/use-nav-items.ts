"use client";

import { hasRole } from "#lib/contract/workspace/roles";
import { NAV_ITEMS, type NavItem, WORKSPACE_ITEMS } from "@/components/shell/nav-items";
import { useSession } from "@/components/shell/session-context";

/** Returns the entries of the navigation that the user's role can use. */
export function useNavItems(): { main: NavItem[]; workspace: NavItem[] } {
  const { role: own } = useSession();
  const isOpen = ({ role }: NavItem) => role === undefined || hasRole(own, role);
  return { main: NAV_ITEMS.filter(isOpen), workspace: WORKSPACE_ITEMS.filter(isOpen) };
}
