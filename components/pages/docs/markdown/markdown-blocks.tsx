import type { ReactNode } from "react";
import { knownTokens, type MarkdownToken } from "#lib/support/parse-markdown";
import { inOrder } from "@/components/pages/docs/markdown/in-order";
import { MarkdownHeadingLine } from "@/components/pages/docs/markdown/markdown-heading-line";
import { MarkdownInline, type MarkdownScope } from "@/components/pages/docs/markdown/markdown-inline";
import { MarkdownList } from "@/components/pages/docs/markdown/markdown-list";
import { MarkdownTable } from "@/components/pages/docs/markdown/markdown-table";
import { CodeBlock } from "@/components/ui/code-block";

interface MarkdownBlocksProps {
  tokens: readonly MarkdownToken[];
  scope: MarkdownScope;
}

/** Headings, paragraphs, lists, tables and code of a Markdown file, rendered on the server. */
export function MarkdownBlocks({ tokens, scope }: MarkdownBlocksProps) {
  return inOrder(tokens.map((token) => renderBlock(token, scope)));
}

function renderBlock(token: MarkdownToken, scope: MarkdownScope): ReactNode {
  switch (token.type) {
    case "space":
    case "html":
    case "def":
      return null;
    case "heading":
      return <MarkdownHeadingLine token={token} scope={scope} />;
    case "paragraph":
      return (
        <p>
          <MarkdownInline tokens={knownTokens(token.tokens)} scope={scope} />
        </p>
      );
    case "code":
      return <MarkdownCode language={token.lang} code={token.text} />;
    case "table":
      return <MarkdownTable token={token} scope={scope} />;
    case "list":
      return (
        <MarkdownList token={token}>
          {token.items.map((item) => (
            <MarkdownBlocks key={item.raw} tokens={knownTokens(item.tokens)} scope={scope} />
          ))}
        </MarkdownList>
      );
    case "blockquote":
      return (
        <blockquote className="flex flex-col gap-2 border-l-2 border-border-strong pl-4 text-text-2">
          <MarkdownBlocks tokens={knownTokens(token.tokens)} scope={scope} />
        </blockquote>
      );
    case "hr":
      return <hr className="border-border" />;
    case "text":
      return (
        <div>
          <MarkdownInline tokens={[token]} scope={scope} />
        </div>
      );
    default:
      throw new Error(`${scope.file}: Markdown of the type ${token.type} cannot be rendered`);
  }
}

/** The languages of fenced blocks, as people call them. */
const LANGUAGES: Record<string, string> = {
  sh: "Shell",
  ts: "TypeScript",
  tsx: "TypeScript",
  js: "JavaScript",
  python: "Python",
  json: "JSON",
  sql: "SQL",
  yaml: "YAML",
};

function MarkdownCode({ language = "", code }: { language: string | undefined; code: string }) {
  const name = LANGUAGES[language.split(" ", 1)[0] ?? ""] ?? "Text";
  const [first = ""] = code.split("\n", 1);
  return <CodeBlock label={`${name}: ${first}`} snippets={[{ label: name, code }]} />;
}
