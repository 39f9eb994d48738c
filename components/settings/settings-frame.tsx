"use client";

import { clsx } from "clsx";
import Link from "next/link";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { useHasRole } from "@/components/shell/session-context";
import { PageHeader } from "@/components/ui/page-header";

interface SettingsFrameProps {
  /** The page's own button. */
  actions?: ReactNode;
  children: ReactNode;
}

/** The header all settings share: the pages of the workspace, and one's own account. */
export function SettingsFrame({ actions, children }: SettingsFrameProps) {
  const isAdmin = useHasRole("admin");
  const pathname = usePathname();
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
      <nav aria-label="Settings" className="flex shrink-0 gap-5 overflow-x-auto border-b border-border px-4">
        {pages.map(({ href, label }) => (
          <Link
            key={href}
            href={href}
            aria-current={pathname === href ? "page" : undefined}
            className={clsx(
              "-mb-px flex h-10 shrink-0 items-center border-b-2 -outline-offset-2 hover:text-text",
              pathname === href ? "border-text font-medium text-text" : "border-transparent text-text-2",
            )}
          >
            {label}
          </Link>
        ))}
      </nav>
      {children}
    </>
  );
}
