import type { ReactNode } from "react";

/** A quiet label for what a thing is (its type or version), not for its status. */
export function Badge({ children, title }: { children: ReactNode; title?: string }) {
  return (
    <span
      title={title}
      className="inline-flex h-5 shrink-0 items-center gap-1 rounded-1 border border-border px-1.5 text-dense whitespace-nowrap text-text-2"
    >
      {children}
    </span>
  );
}
