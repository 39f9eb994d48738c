import type { OutputChange } from "#lib/contract/action/publish";

/** Lists the changes of the output. They are informational: no call is refused because of them. */
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
  if (kind === "added") return `is new, with type ${now}`;
  return kind === "removed" ? "is removed" : `changed type from ${was} to ${now}`;
}
