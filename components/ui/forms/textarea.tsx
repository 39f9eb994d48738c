import { clsx } from "clsx";
import type { ComponentProps } from "react";
import { CONTROL_LOOK } from "@/components/ui/forms/input";

interface TextareaProps extends ComponentProps<"textarea"> {
  isMono?: boolean;
}

export function Textarea({ isMono = false, className, rows = 3, ...props }: TextareaProps) {
  return (
    <textarea
      rows={rows}
      className={clsx(CONTROL_LOOK, "block resize-y py-1.5", isMono && "font-mono text-dense", className)}
      {...props}
    />
  );
}
