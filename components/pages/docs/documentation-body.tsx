import { clsx } from "clsx";
import type { DocumentationLink, DocumentationPage, DocumentationSection } from "#lib/contract/wire/documentation";
import { parseMarkdown } from "#lib/support/parse-markdown";
import { DocumentationNav } from "@/components/pages/docs/documentation-nav";
import { MarkdownBlocks } from "@/components/pages/docs/markdown/markdown-blocks";
import { OnThisPage } from "@/components/pages/docs/on-this-page";
import { MAIN_ID } from "@/components/pages/docs/public-header";
import { Link } from "@/components/ui/link";

interface DocumentationBodyProps {
  page: DocumentationPage;
  sections: readonly DocumentationSection[];
}

/** A page of the documentation between the list of all pages and the list of its own headings. */
export function DocumentationBody({ page, sections }: DocumentationBodyProps) {
  const { tokens, headings } = parseMarkdown(page.source);
  return (
    <div className="lg:flex">
      <DocumentationNav sections={sections} current={page.href} />
      <div className="flex min-w-0 flex-1 flex-col xl:flex-row-reverse xl:justify-center">
        <OnThisPage headings={[...headings.values()]} />
        <main
          id={MAIN_ID}
          tabIndex={-1}
          className="mx-auto flex w-full max-w-xl min-w-0 flex-col gap-10 px-4 py-8 focus:outline-none sm:px-6 xl:mx-0"
        >
          <article className="flex min-w-0 flex-col gap-4 text-title leading-6">
            <MarkdownBlocks tokens={tokens} scope={{ file: page.file, headings }} />
          </article>
          <PageTurner previous={page.previous} next={page.next} />
        </main>
      </div>
    </div>
  );
}

interface PageTurnerProps {
  previous: DocumentationLink | null;
  next: DocumentationLink | null;
}

function PageTurner({ previous, next }: PageTurnerProps) {
  return (
    <nav aria-label="Previous and next page" className="grid gap-3 sm:grid-cols-2">
      {previous === null ? <span /> : <Turn label="Previous" page={previous} />}
      {next === null ? null : <Turn label="Next" page={next} isEnd />}
    </nav>
  );
}

function Turn({ label, page, isEnd = false }: { label: string; page: DocumentationLink; isEnd?: boolean }) {
  return (
    <Link
      href={page.href}
      className={clsx(
        "flex flex-col rounded-3 border border-border px-4 py-3 hover:bg-sunken",
        isEnd && "sm:items-end sm:text-right",
      )}
    >
      <span className="text-dense text-text-3">{label}</span>
      <span className="font-medium">{page.title}</span>
    </Link>
  );
}
