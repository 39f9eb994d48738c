import { clsx } from "clsx";
import Link from "next/link";
import type { DocumentationLink } from "#lib/contract/documentation";

interface PageTurnerProps {
  previous: DocumentationLink | null;
  next: DocumentationLink | null;
}

export function PageTurner({ previous, next }: PageTurnerProps) {
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
      prefetch={false}
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
