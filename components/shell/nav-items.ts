import {
  Activity,
  BookOpen,
  ChartNoAxesColumn,
  Hand,
  KeyRound,
  type LucideIcon,
  Plug,
  Settings,
  Workflow,
  Zap,
} from "lucide-react";
import type { Role } from "#lib/contract/workspace/roles";

export interface NavItem {
  href: string;
  label: string;
  icon: LucideIcon;
  /** The letter after G that opens it. */
  key: string;
  /** The least role that can use the page; every member if left out. */
  role?: Role;
}

export const NAV_ITEMS: readonly NavItem[] = [
  { href: "/workflows", label: "Workflows", icon: Workflow, key: "w" },
  { href: "/actions", label: "Actions", icon: Zap, key: "a" },
  { href: "/runs", label: "Runs", icon: Activity, key: "r" },
  { href: "/approvals", label: "Approvals", icon: Hand, key: "i" },
  { href: "/usage", label: "Usage", icon: ChartNoAxesColumn, key: "u" },
];

export const WORKSPACE_ITEMS: readonly NavItem[] = [
  { href: "/connections", label: "Connections", icon: Plug, key: "c" },
  { href: "/keys", label: "API keys", icon: KeyRound, key: "k", role: "admin" },
  { href: "/settings", label: "Settings", icon: Settings, key: "s" },
  { href: "/docs", label: "Documentation", icon: BookOpen, key: "d" },
];

/** Returns the item of the open page or of the closest page above it. */
export function findItemAt(pathname: string): NavItem | null {
  const above = [...NAV_ITEMS, ...WORKSPACE_ITEMS].filter(
    ({ href }) => pathname === href || pathname.startsWith(`${href}/`),
  );
  return above.toSorted((a, b) => b.href.length - a.href.length)[0] ?? null;
}
