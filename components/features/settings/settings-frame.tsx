"use client";

import type { ReactNode } from "react";
import { useHasRole } from "@/components/shell/session-context";
import { PageHeader } from "@/components/ui/lists/page-header";
import { SubNav } from "@/components/ui/lists/sub-nav";

interface SettingsFrameProps {
  /** The page's own button. */
  actions?: ReactNode;
  children: ReactNode;
}

/** The header of all settings pages: the pages of the workspace, and the user's account. */
export function SettingsFrame({ actions, children }: SettingsFrameProps) {
  const isAdmin = useHasRole("admin");
  const pages = [
    { href: "/settings", label: "Workspace" },
    { href: "/settings/members", label: "Members" },
    { href: "/settings/events", label: "Events and alerts" },
    ...(isAdmin ? [{ href: "/settings/audit", label: "Audit log" }] : []),
    { href: "/settings/account", label: "Your account" },
  ];
  return (
    <>
      <PageHeader title="Settings" actions={actions} />
      <SubNav label="Settings" pages={pages} />
      {children}
    </>
  );
}
