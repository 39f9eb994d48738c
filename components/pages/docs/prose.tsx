/** A text of the description: what stands in backticks is code. */
export function Prose({ text }: { text: string }) {
  return text.split("`").map((part, index) =>
    index % 2 === 1 ? (
      <code key={`${part}${text.length}`} className="font-mono text-dense">
        {part}
      </code>
    ) : (
      part
    ),
  );
}
