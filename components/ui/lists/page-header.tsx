"use client";

import { clsx } from "clsx";
import { ChevronRight, Menu } from "lucide-react";
import { Fragment, type ReactNode } from "react";
import { IconButton } from "@/components/ui/icon-button";
import { Link } from "@/components/ui/link";
import { useNavDrawer } from "@/components/ui/lists/nav-drawer-context";

interface PageHeaderProps {
  title: ReactNode;
  /** The pages above this one: `[{ label: "Runs", href: "/runs" }]`. */
  trail?: readonly { label: string; href: string }[];
  /** Chips and facts to the right of the title. */
  children?: ReactNode;
  /** Buttons; the primary one comes last. */
  actions?: ReactNode;
  className?: string;
}

/** The 48 px bar on top of every page, with the page's only h1. */
export function PageHeader({ title, trail = [], children, actions, className }: PageHeaderProps) {
  return (
    <header
      className={clsx(
        "sticky top-0 z-20 flex h-bar shrink-0 items-center gap-3 border-b border-border bg-app pr-3 pl-2 sm:pl-4",
        className,
      )}
    >
      <NavButton />
      <div className="flex min-w-0 flex-1 items-center gap-3">
        <div className="flex min-w-0 items-center gap-1.5">
          {trail.map((step) => (
            <Fragment key={step.href}>
              <Link href={step.href} className="hidden shrink-0 rounded-1 text-text-2 hover:text-text sm:inline">
                {step.label}
              </Link>
              <ChevronRight aria-hidden className="hidden size-3.5 shrink-0 text-text-3 sm:inline" />
            </Fragment>
          ))}
          <h1 className={clsx("min-w-0 truncate font-semibold", trail.length > 0 ? "text-title" : "text-page")}>
            {title}
          </h1>
        </div>
        {children}
      </div>
      {actions === undefined ? null : <div className="flex shrink-0 items-center gap-2">{actions}</div>}
    </header>
  );
}

/** Opens the navigation on a screen that is too narrow to show it. */
function NavButton() {
  const drawer = useNavDrawer();
  if (drawer === null) return null;
  return (
    <span className="md:hidden">
      <IconButton icon={Menu} label="Open navigation" onClick={drawer.open} />
    </span>
  );
}
