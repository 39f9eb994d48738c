import { clsx } from "clsx";
import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";
import { CONTROL_LOOK } from "@/components/ui/forms/input";

/**
 * A choice from a few options. It is the platform's own list, which costs nothing and works with touch and every screen
 * reader. Children are `<option>` elements.
 */
export function Select({ className, children, ...props }: ComponentProps<"select">) {
  return (
    <span className={clsx("relative block", className)}>
      <select className={clsx(CONTROL_LOOK, "h-control appearance-none pr-8")} {...props}>
        {children}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-2.5 size-3.5 -translate-y-1/2 text-text-3"
      />
    </span>
  );
}
