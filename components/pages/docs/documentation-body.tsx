import type { DocumentationPage, DocumentationSection } from "#lib/contract/documentation";
import { parseMarkdown } from "#lib/support/parse-markdown";
import { DocumentationNav } from "@/components/pages/docs/documentation-nav";
import { MarkdownBlocks } from "@/components/pages/docs/markdown/markdown-blocks";
import { OnThisPage } from "@/components/pages/docs/on-this-page";
import { PageTurner } from "@/components/pages/docs/page-turner";
import { MAIN_ID } from "@/components/pages/docs/public-header";

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
