/**
 * A branch label on a line, such as "True" or "Default". Its opaque background matches the canvas, including the tint
 * of the loops around it.
 */
export function BranchLabel({ children, depth }: { children: string; depth: number }) {
  const background = `color-mix(in srgb, var(--k-logic) ${5 * depth}%, var(--canvas))`;
  return (
    <span className="px-1.5 text-micro font-medium text-text-2" style={{ background }}>
      {children}
    </span>
  );
}
