import type { LucideIcon } from "lucide-react";
import { Button, type ButtonProps } from "@/components/ui/button";
import { Tooltip } from "@/components/ui/tooltip";

interface IconButtonProps extends Omit<ButtonProps, "children" | "asChild" | "aria-label" | "size"> {
  icon: LucideIcon;
  /** What the button does: its accessible name, and its tooltip on hover and focus. */
  label: string;
  size?: "sm" | "md";
  /** Shown in the tooltip next to the label. */
  shortcut?: string;
}

export function IconButton({ icon: Icon, label, shortcut, variant = "ghost", size = "md", ...props }: IconButtonProps) {
  return (
    <Tooltip content={label} shortcut={shortcut} isName>
      <Button variant={variant} size={size === "sm" ? "square-sm" : "square"} aria-label={label} {...props}>
        <Icon aria-hidden className="size-4" strokeWidth={1.75} />
      </Button>
    </Tooltip>
  );
}
