"use client";

import { clsx } from "clsx";
import { useSession } from "@/components/shell/session-context";

export function WorkspaceName({ isRail }: { isRail: boolean }) {
  const { workspace } = useSession();
  return (
    <div className={clsx("flex h-bar shrink-0 items-center gap-2.5 px-4", isRail && "justify-center lg:justify-start")}>
      <span
        aria-hidden
        className="flex size-6 shrink-0 items-center justify-center rounded-[6px] bg-primary text-dense font-semibold text-on-primary"
      >
        {workspace.name.slice(0, 1).toUpperCase()}
      </span>
      <span className={clsx("truncate text-title font-semibold", isRail && "sr-only lg:not-sr-only")}>
        {workspace.name}
      </span>
    </div>
  );
}
