/** The first stop of the Tab key: skips header and navigation. Hidden until it has the focus. */
export function SkipLink({ targetId }: { targetId: string }) {
  return (
    <a
      href={`#${targetId}`}
      className="fixed top-2 left-2 z-popover -translate-y-16 rounded-2 bg-primary px-3 py-1.5 text-on-primary focus:translate-y-0"
    >
      Skip to the content
    </a>
  );
}
