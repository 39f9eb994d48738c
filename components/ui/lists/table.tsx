import { clsx } from "clsx";
import type { ComponentProps, ReactNode } from "react";

interface TableProps {
  /** Read by screen readers before the table. */
  caption: string;
  /** For a table inside a page: it always scrolls in its own box, and the header does not stick. */
  isPlain?: boolean;
  children: ReactNode;
}

/** A box that scrolls must be focusable, or the keyboard cannot scroll it. */
const SCROLLABLE = { role: "group", tabIndex: 0 } as const;

/**
 * A full-width table with hairlines, 34 px rows and a sticky header. On a narrow screen it scrolls sideways in its own
 * box.
 */
export function Table({ caption, isPlain = false, children }: TableProps) {
  return (
    <div
      {...(isPlain && { ...SCROLLABLE, "aria-label": caption })}
      className={clsx(
        "relative w-full overflow-x-auto",
        !isPlain && "lg:overflow-x-visible lg:[&_th]:sticky lg:[&_th]:top-bar lg:[&_th]:z-10",
      )}
    >
      <table className="w-full border-collapse text-left">
        <caption className="sr-only">{caption}</caption>
        {children}
      </table>
    </div>
  );
}

export function TableHead({ children }: { children: ReactNode }) {
  return (
    <thead>
      <tr>{children}</tr>
    </thead>
  );
}

export function TableHeader({ className, ...props }: ComponentProps<"th">) {
  return (
    <th
      scope="col"
      className={clsx(
        "h-row bg-app px-3 text-dense font-medium whitespace-nowrap text-text-3 shadow-[inset_0_-1px_var(--border)] first:pl-4 last:pr-4",
        className,
      )}
      {...props}
    />
  );
}

interface TableRowProps extends ComponentProps<"tr"> {
  /** Keeps its color under the pointer. */
  isChosen?: boolean;
}

/** A row that is one link contains one `RowLink` in its first cell. */
export function TableRow({ className, isChosen = false, ...props }: TableRowProps) {
  const ground = isChosen ? "bg-accent-weak" : "hover:bg-sunken";
  return <tr className={clsx("relative border-b border-border", ground, className)} {...props} />;
}

export function TableCell({ className, ...props }: ComponentProps<"td">) {
  return <td className={clsx("h-row px-3 py-1 whitespace-nowrap first:pl-4 last:pr-4", className)} {...props} />;
}
