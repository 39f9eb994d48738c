import { clsx } from "clsx";
import type { Size } from "@/components/canvas/document/dimensions";

interface BranchLabelProps {
  children: string;
  /** The room of the label; a longer text is cut off. */
  size: Size;
  /** Written from top to bottom, because the next branch is too close. */
  isUpright: boolean;
  depth: number;
  isFailure?: boolean;
}

/**
 * A branch label on a line, such as "True" or "Default". Its opaque background matches the canvas, including the tint
 * of the loops around it.
 */
export function BranchLabel({ children, size, isUpright, depth, isFailure = false }: BranchLabelProps) {
  const background = `color-mix(in srgb, var(--k-logic) ${5 * depth}%, var(--canvas))`;
  return (
    <span
      title={children}
      className={clsx(
        "truncate text-micro leading-4 font-medium",
        isUpright ? "py-1 [writing-mode:vertical-rl]" : "px-1",
        isFailure ? "text-err" : "text-text-2",
      )}
      style={{ background, maxWidth: size.width, maxHeight: size.height }}
    >
      {children}
    </span>
  );
}
