import type { ReactNode } from "react";

/** Search and filters between the page's header and its table. */
export function Toolbar({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-2 border-b border-border px-3 py-2 sm:px-4">{children}</div>;
}
