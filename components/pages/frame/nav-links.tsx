"use client";

import { clsx } from "clsx";
import { usePathname } from "next/navigation";
import { usePendingCount } from "@/components/features/approvals/use-inbox";
import { findItemAt, type NavItem } from "@/components/shell/nav-items";
import { useNavItems } from "@/components/shell/use-nav-items";
import { Link } from "@/components/ui/link";
import { Tooltip } from "@/components/ui/tooltip";

interface NavLinksProps {
  /** `rail` shows words only from 1024 px, `icons` never; `full` always shows them. */
  layout: "rail" | "icons" | "full";
  onNavigate?: () => void;
}

export function NavLinks({ layout, onNavigate }: NavLinksProps) {
  const { main, workspace } = useNavItems();
  return (
    <nav aria-label="Main" className="flex flex-1 flex-col gap-0.5 overflow-y-auto px-2 py-1">
      {main.map((item) => (
        <NavLink key={item.href} item={item} layout={layout} onNavigate={onNavigate} />
      ))}
      <p className={clsx("mt-4 mb-1 px-2 text-dense text-text-3", layout !== "full" && "hidden nav-wide:block")}>
        Workspace
      </p>
      {workspace.map((item) => (
        <NavLink key={item.href} item={item} layout={layout} onNavigate={onNavigate} />
      ))}
    </nav>
  );
}

function NavLink({ item, layout, onNavigate }: { item: NavItem } & NavLinksProps) {
  const pathname = usePathname();
  const isHere = findItemAt(pathname)?.href === item.href;
  const isRail = layout !== "full";
  const link = (
    <Link
      href={item.href}
      onClick={onNavigate}
      aria-current={isHere ? "page" : undefined}
      title={layout === "rail" ? item.label : undefined}
      className={clsx(
        "relative flex h-8 items-center gap-2.5 rounded-2 px-2",
        isRail && "justify-center nav-wide:justify-start",
        isHere ? "bg-nav-selected font-semibold text-text" : "text-text-2 hover:bg-nav-selected hover:text-text",
      )}
    >
      <item.icon aria-hidden className="size-4 shrink-0" strokeWidth={1.75} />
      <span className={clsx(isRail && "sr-only nav-wide:not-sr-only")}>{item.label}</span>
      {item.href === "/approvals" ? <WaitingBadge isRail={isRail} /> : null}
    </Link>
  );
  if (layout !== "icons") return link;
  return (
    <Tooltip content={item.label} shortcut={`G ${item.key.toUpperCase()}`} side="right" isName>
      {link}
    </Tooltip>
  );
}

const SHOWN_MAX = 99;

/** The number of requests that wait for a decision; over the icon if the words are hidden. */
function WaitingBadge({ isRail }: { isRail: boolean }) {
  const count = usePendingCount();
  if (!count) return null;
  return (
    <span
      className={clsx(
        "min-w-5 rounded-full bg-wait-bg px-1.5 text-center text-[11px] leading-5 font-semibold text-wait tabular-nums",
        isRail ? "absolute top-0 right-0 nav-wide:static nav-wide:ml-auto" : "ml-auto",
      )}
    >
      {count > SHOWN_MAX ? `${SHOWN_MAX}+` : count}
      <span className="sr-only"> waiting</span>
    </span>
  );
}
