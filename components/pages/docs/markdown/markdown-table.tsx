import type { Tokens } from "marked";
import { knownTokens } from "#lib/support/parse-markdown";
import { inOrder } from "@/components/pages/docs/markdown/in-order";
import { MarkdownInline, type MarkdownScope } from "@/components/pages/docs/markdown/markdown-inline";

interface MarkdownTableProps {
  token: Tokens.Table;
  scope: MarkdownScope;
}

/** A box that scrolls must take the focus, or the keyboard cannot scroll it. */
const scrollable = (label: string) => ({ role: "group", tabIndex: 0, "aria-label": label });

/** A table that scrolls in its own box where the screen is too narrow for it. */
export function MarkdownTable({ token, scope }: MarkdownTableProps) {
  const names = token.header.map(({ text }) => text).filter((text) => text !== "");
  return (
    <div {...scrollable(`Table: ${names.join(", ")}`)} className="overflow-x-auto rounded-3 border border-border">
      <table className="w-full border-collapse text-left text-body">
        {names.length === 0 ? null : (
          <thead className="border-b border-border bg-sunken">
            <TableLine cells={token.header} scope={scope} />
          </thead>
        )}
        <tbody className="divide-y divide-border">
          {inOrder(token.rows.map((cells) => <TableLine key={cells[0]?.text} cells={cells} scope={scope} />))}
        </tbody>
      </table>
    </div>
  );
}

function TableLine({ cells, scope }: { cells: readonly Tokens.TableCell[]; scope: MarkdownScope }) {
  return (
    <tr>
      {inOrder(
        cells.map(({ tokens, header, text }) => {
          const content = <MarkdownInline tokens={knownTokens(tokens)} scope={scope} />;
          if (header && text !== "") {
            return (
              <th key={text} scope="col" className="px-3 py-2 font-medium">
                {content}
              </th>
            );
          }
          return (
            <td key={text} className="min-w-28 px-3 py-2 align-top first:min-w-20">
              {content}
            </td>
          );
        }),
      )}
    </tr>
  );
}
