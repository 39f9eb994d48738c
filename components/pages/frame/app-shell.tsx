"use client";

import { clsx } from "clsx";
import { lazy, type ReactNode, Suspense, useMemo, useState } from "react";
import { KeyPublishNotices } from "@/components/features/notices/key-publish-notices";
import { NavLinks } from "@/components/pages/frame/nav-links";
import { NavToggle, useNavState } from "@/components/pages/frame/nav-toggle";
import { OfflineNotice } from "@/components/pages/frame/offline-notice";
import { useGoToKeys } from "@/components/pages/frame/use-go-to-keys";
import { UserMenu } from "@/components/pages/frame/user-menu";
import { WorkspaceMenu } from "@/components/pages/frame/workspace-menu";
import { CommandPalette } from "@/components/pages/palette/command-palette";
import type { NavState } from "@/components/shell/nav-state";
import { SkipLink } from "@/components/shell/skip-link";
import { NavDrawerContext } from "@/components/ui/lists/nav-drawer-context";

const NavDrawer = lazy(() => import("@/components/pages/frame/nav-drawer").then((m) => ({ default: m.NavDrawer })));

/**
 * Navigation on the left (216 px or icons, as the user chose; icons from 768 to 1024, a drawer below), the page on the
 * right. The document scrolls.
 */
export function AppShell({ nav = "wide", children }: { nav?: NavState; children: ReactNode }) {
  const [navState, toggleNav] = useNavState(nav);
  const [drawer, setDrawer] = useState<"never" | "open" | "closed">("never");
  const context = useMemo(() => ({ open: () => setDrawer("open") }), []);
  useGoToKeys();
  return (
    <NavDrawerContext value={context}>
      <SkipLink targetId="content" />
      <div className="flex min-h-dvh">
        <aside
          data-nav={navState}
          className={clsx(
            "sticky top-0 hidden h-dvh w-14 shrink-0 flex-col border-r border-border bg-app md:flex",
            navState === "wide" && "lg:w-nav",
          )}
        >
          <WorkspaceMenu isRail />
          <NavLinks layout={navState === "wide" ? "rail" : "icons"} />
          <NavToggle state={navState} onToggle={toggleNav} />
          <UserMenu isRail />
        </aside>
        <main id="content" tabIndex={-1} className="flex min-w-0 flex-1 flex-col focus:outline-none">
          <OfflineNotice />
          <KeyPublishNotices />
          {children}
        </main>
      </div>
      <CommandPalette />
      <Suspense>
        {drawer === "never" ? null : <NavDrawer isOpen={drawer === "open"} onClose={() => setDrawer("closed")} />}
      </Suspense>
    </NavDrawerContext>
  );
}
