"use client";

import { clsx } from "clsx";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { usePendingCount } from "@/components/features/approvals/use-inbox";
import { findItemAt, NAV_ITEMS, type NavItem, WORKSPACE_ITEMS } from "@/components/shell/nav-items";

interface NavLinksProps {
  /** `rail` shows only icons between 768 and 1024 px; `full` always shows words. */
  layout: "rail" | "full";
  onNavigate?: () => void;
}

export function NavLinks({ layout, onNavigate }: NavLinksProps) {
  return (
    <nav aria-label="Main" className="flex flex-1 flex-col gap-0.5 overflow-y-auto px-2 py-1">
      {NAV_ITEMS.map((item) => (
        <NavLink key={item.href} item={item} layout={layout} onNavigate={onNavigate} />
      ))}
      <p className={clsx("mt-4 mb-1 px-2 text-dense text-text-3", layout === "rail" && "hidden lg:block")}>Workspace</p>
      {WORKSPACE_ITEMS.map((item) => (
        <NavLink key={item.href} item={item} layout={layout} onNavigate={onNavigate} />
      ))}
    </nav>
  );
}

function NavLink({ item, layout, onNavigate }: { item: NavItem } & NavLinksProps) {
  const pathname = usePathname();
  const isHere = findItemAt(pathname)?.href === item.href;
  const isRail = layout === "rail";
  return (
    <Link
      href={item.href}
      onClick={onNavigate}
      aria-current={isHere ? "page" : undefined}
      title={isRail ? item.label : undefined}
      className={clsx(
        "relative flex h-8 items-center gap-2.5 rounded-2 px-2",
        isRail && "justify-center lg:justify-start",
        isHere ? "bg-nav-selected font-semibold text-text" : "text-text-2 hover:bg-nav-selected hover:text-text",
      )}
    >
      <item.icon aria-hidden className="size-4 shrink-0" strokeWidth={1.75} />
      <span className={clsx(isRail && "sr-only lg:not-sr-only")}>{item.label}</span>
      {item.href === "/approvals" ? <WaitingBadge isRail={isRail} /> : null}
    </Link>
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
        isRail ? "absolute top-0 right-0 lg:static lg:ml-auto" : "ml-auto",
      )}
    >
      {count > SHOWN_MAX ? `${SHOWN_MAX}+` : count}
      <span className="sr-only"> waiting</span>
    </span>
  );
}
