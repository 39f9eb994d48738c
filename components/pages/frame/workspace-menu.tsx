"use client";

import { clsx } from "clsx";
import { ChevronsUpDown } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useSession } from "@/components/shell/session-context";
import { LazyMenu } from "@/components/ui/overlays/lazy-menu";

const loadMenu = () => import("@/components/pages/frame/workspace-menu-items");
const WorkspaceMenuItems = lazy(() => loadMenu().then((m) => ({ default: m.WorkspaceMenuItems })));
const CreateWorkspaceDialog = lazy(() =>
  import("@/components/pages/frame/create-workspace-dialog").then((m) => ({ default: m.CreateWorkspaceDialog })),
);

/** The open workspace, and a menu of the user's other workspaces. */
export function WorkspaceMenu({ isRail }: { isRail: boolean }) {
  const { workspace } = useSession();
  const [isCreating, setIsCreating] = useState(false);
  return (
    <div className="flex h-bar shrink-0 items-center px-2">
      <LazyMenu
        preload={loadMenu}
        trigger={
          <button
            type="button"
            className={clsx(
              "flex h-9 w-full min-w-0 items-center gap-2.5 rounded-2 px-2 text-left hover:bg-nav-selected",
              isRail && "justify-center nav-wide:justify-start",
            )}
          >
            <span
              aria-hidden
              className="flex size-6 shrink-0 items-center justify-center rounded-[6px] bg-primary text-dense font-semibold text-on-primary"
            >
              {workspace.name.slice(0, 1).toUpperCase()}
            </span>
            <span className="sr-only">Workspace {workspace.name}</span>
            <span
              aria-hidden
              className={clsx("min-w-0 flex-1 truncate text-title font-semibold", isRail && "hidden nav-wide:block")}
            >
              {workspace.name}
            </span>
            <ChevronsUpDown
              aria-hidden
              className={clsx("size-3.5 shrink-0 text-text-3", isRail && "hidden nav-wide:block")}
            />
          </button>
        }
      >
        {(menu) => <WorkspaceMenuItems {...menu} onCreate={() => setIsCreating(true)} />}
      </LazyMenu>
      <Suspense>{isCreating ? <CreateWorkspaceDialog onClose={() => setIsCreating(false)} /> : null}</Suspense>
    </div>
  );
}
