/** JSON that a reader may open; closed it takes one line. */
export function Example({ label, value }: { label: string; value: unknown }) {
  if (value === undefined) return null;
  return (
    <details className="min-w-0 rounded-3 border border-border bg-sunken">
      <summary className="px-3 py-1.5 text-dense text-text-2 -outline-offset-2 hover:text-text">{label}</summary>
      <pre className="border-t border-border p-3 font-mono text-dense [overflow-wrap:anywhere] whitespace-pre-wrap">
        <code>{JSON.stringify(value, null, 2)}</code>
      </pre>
    </details>
  );
}
