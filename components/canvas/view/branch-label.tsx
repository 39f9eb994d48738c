/** "Yes", "Otherwise": stands on the line, the canvas showing through nowhere behind the word. */
export function BranchLabel({ children }: { children: string }) {
  return <span className="bg-canvas px-1.5 text-micro font-medium text-text-2">{children}</span>;
}
