import type { ConnectorChanges } from "#lib/contract/connector/connector";
import { AUTH_WORDS } from "@/components/features/connectors/auth-words";

export function isUnchanged({ base_url, auth, added, removed, changed }: ConnectorChanges): boolean {
  return base_url === null && auth === null && added.length + removed.length + changed.length === 0;
}

/** Lists what a build changed compared to the previous one. */
export function ChangeList({ changes }: { changes: ConnectorChanges }) {
  const { base_url: url, auth, added, removed, changed } = changes;
  return (
    <ul className="flex flex-col gap-1 text-dense [overflow-wrap:anywhere]">
      {url === null ? null : (
        <li>
          Base URL: <code className="font-mono">{url.before}</code> becomes{" "}
          <code className="font-mono">{url.after}</code>
        </li>
      )}
      {auth === null ? null : (
        <li>
          Authentication: {AUTH_WORDS[auth.before]} becomes {AUTH_WORDS[auth.after]}
        </li>
      )}
      {removed.length === 0 ? null : (
        <li className="text-err">
          Gone: <Names names={removed} />
        </li>
      )}
      {added.length === 0 ? null : (
        <li>
          New: <Names names={added} />
        </li>
      )}
      {changed.map(({ operation, changes: words }) => (
        <li key={operation}>
          <code className="font-mono">{operation}</code> {words.join(", ")}
        </li>
      ))}
    </ul>
  );
}

const NAMES_SHOWN = 20;

function Names({ names }: { names: readonly string[] }) {
  const more = names.length - NAMES_SHOWN;
  return (
    <>
      <code className="font-mono">{names.slice(0, NAMES_SHOWN).join(", ")}</code>
      {more > 0 ? ` and ${more} more` : null}
    </>
  );
}
