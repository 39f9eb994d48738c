"use client";

import { clsx } from "clsx";
import { ChevronsUpDown } from "lucide-react";
import { lazy } from "react";
import { useSession } from "@/components/shell/session-context";
import { LazyMenu } from "@/components/ui/overlays/lazy-menu";

const loadMenu = () => import("@/components/pages/frame/user-menu-items");
const UserMenuItems = lazy(() => loadMenu().then((m) => ({ default: m.UserMenuItems })));

export function UserMenu({ isRail }: { isRail: boolean }) {
  const { user } = useSession();
  return (
    <div className="shrink-0 border-t border-border p-2">
      <LazyMenu
        preload={loadMenu}
        trigger={
          <button
            type="button"
            className={clsx(
              "flex w-full items-center gap-2.5 rounded-2 px-2 py-1.5 text-left hover:bg-nav-selected",
              isRail && "justify-center nav-wide:justify-start",
            )}
          >
            <span
              aria-hidden
              className="flex size-6 shrink-0 items-center justify-center rounded-full border border-border-strong text-micro font-medium text-text-2"
            >
              {initialsOf(user.name)}
            </span>
            <span className={clsx("min-w-0 flex-1", isRail && "sr-only nav-wide:not-sr-only")}>
              <span className="block truncate font-medium">{user.name}</span>
              <span className="block truncate text-dense text-text-3">{user.email}</span>
            </span>
            <ChevronsUpDown aria-hidden className={clsx("size-3.5 text-text-3", isRail && "hidden nav-wide:block")} />
          </button>
        }
      >
        {(menu) => <UserMenuItems {...menu} />}
      </LazyMenu>
    </div>
  );
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => word?.slice(0, 1) ?? "");
  return letters.join("").toUpperCase();
}
