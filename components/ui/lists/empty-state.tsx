import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

interface EmptyStateProps {
  icon?: LucideIcon;
  title: string;
  /** One sentence: what will be listed here. */
  children?: ReactNode;
  /** True if the title is the page's only heading. */
  isPage?: boolean;
  /** One next step. */
  action?: ReactNode;
}

export function EmptyState({ icon: Icon, title, isPage = false, children, action }: EmptyStateProps) {
  const Heading = isPage ? "h1" : "h2";
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-2 px-6 py-16 text-center">
      {Icon === undefined ? null : (
        <span className="mb-2 flex size-10 items-center justify-center rounded-3 border border-border bg-surface text-text-2">
          <Icon aria-hidden className="size-5" strokeWidth={1.5} />
        </span>
      )}
      <Heading className="text-page font-semibold">{title}</Heading>
      {children === undefined ? null : <p className="text-text-2">{children}</p>}
      {action === undefined ? null : <div className="mt-3">{action}</div>}
    </div>
  );
}
