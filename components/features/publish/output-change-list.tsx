import type { OutputChange } from "#lib/contract/publish";

/** What callers get back that they did not, and the other way round. For information: nobody is refused by it. */
export function OutputChangeList({ changes }: { changes: readonly OutputChange[] }) {
  return (
    <ul className="divide-y divide-border rounded-3 border border-border">
      {changes.map((change) => (
        <li key={change.field} className="flex flex-wrap items-baseline gap-x-3 px-3 py-1.5">
          <code className="font-mono text-dense [overflow-wrap:anywhere]">{change.field}</code>
          <span className="text-text-2">{describeChange(change)}</span>
        </li>
      ))}
    </ul>
  );
}

function describeChange({ kind, was, now }: OutputChange): string {
  if (kind === "added") return `is new, of the type ${now}`;
  return kind === "removed" ? "is no longer there" : `was of the type ${was} and is now of the type ${now}`;
}
