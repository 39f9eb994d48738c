import { clsx } from "clsx";
import type { ComponentProps } from "react";

/** The styles that all text controls share. */
export const CONTROL_LOOK =
  "w-full min-w-0 rounded-2 border border-border-strong bg-surface px-2.5 text-text transition-colors " +
  "aria-invalid:border-err disabled:cursor-not-allowed disabled:bg-sunken disabled:text-text-3 [&[readonly]]:bg-sunken";

interface InputProps extends ComponentProps<"input"> {
  /** For ids, slugs, keys and code. */
  isMono?: boolean;
}

export function Input({ isMono = false, className, type = "text", ...props }: InputProps) {
  return (
    <input
      type={type}
      className={clsx(CONTROL_LOOK, "h-control", isMono && "font-mono text-dense", className)}
      {...props}
    />
  );
}
