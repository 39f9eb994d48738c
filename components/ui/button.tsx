import { clsx } from "clsx";
import { LoaderCircle } from "lucide-react";
import { Slot } from "radix-ui/slot";
import type { ComponentProps, MouseEvent } from "react";

/** `primary` is ink and appears once in a view; `danger-solid` appears only in confirmations. */
const VARIANTS = {
  primary: "bg-primary text-on-primary hover:opacity-88",
  secondary: "border border-border bg-surface text-text hover:border-border-strong",
  /** For a button next to text controls, with the same border. */
  field: "border border-border-strong bg-surface text-text hover:border-text-2",
  "field-chosen": "border border-accent bg-accent-weak text-text",
  ghost: "text-text-2 hover:bg-sunken hover:text-text dark:hover:bg-raised",
  danger: "border border-border bg-surface text-err hover:border-err",
  "danger-solid": "bg-err text-on-err hover:opacity-88",
} as const;

const SIZES = {
  md: "h-control px-3",
  sm: "h-control-sm px-2 text-dense",
  square: "size-control",
  "square-sm": "size-control-sm",
} as const;

export interface ButtonProps extends ComponentProps<"button"> {
  variant?: keyof typeof VARIANTS;
  size?: keyof typeof SIZES;
  /** Shows a spinner and ignores clicks; the name stays. */
  isBusy?: boolean;
  /** Renders the only child (a link) as a button. */
  asChild?: boolean;
}

/** Also what Enter in a field of a form presses, so a form is not sent twice. */
function refuseClick(event: MouseEvent<HTMLButtonElement>): void {
  event.preventDefault();
  event.stopPropagation();
}

export function Button({
  variant = "secondary",
  size = "md",
  isBusy = false,
  asChild = false,
  className,
  children,
  disabled,
  type,
  onClick,
  ...props
}: ButtonProps) {
  const look = clsx(
    "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-2 font-medium whitespace-nowrap select-none",
    "transition-[opacity,background-color,border-color] duration-[var(--t-1)]",
    "disabled:pointer-events-none disabled:opacity-50 aria-disabled:opacity-50",
    VARIANTS[variant],
    SIZES[size],
    className,
  );
  if (asChild) {
    return (
      <Slot className={look} onClick={onClick} {...props}>
        {children}
      </Slot>
    );
  }
  return (
    <button
      type={type ?? "button"}
      className={look}
      disabled={disabled}
      // A disabled button loses the keyboard focus, and the next key would go to the page.
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      onClick={isBusy ? refuseClick : onClick}
      {...props}
    >
      {isBusy ? <LoaderCircle aria-hidden className="size-3.5 animate-spin" /> : null}
      {children}
    </button>
  );
}
