/** "True", "Default": stands on the line, what is behind the word showing through nowhere: the canvas, tinted by loops. */
export function BranchLabel({ children, depth }: { children: string; depth: number }) {
  const background = `color-mix(in srgb, var(--k-logic) ${5 * depth}%, var(--canvas))`;
  return (
    <span className="px-1.5 text-micro font-medium text-text-2" style={{ background }}>
      {children}
    </span>
  );
}
