import type { ReactNode } from "react";

/** Search and filters between the page's header and its table. On a narrow screen the controls fill their lines. */
export function Toolbar({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-border px-3 py-2 sm:px-4 max-sm:[&>:has(>select)]:max-w-none max-sm:[&>:has(>select)]:grow">
      {children}
    </div>
  );
}
