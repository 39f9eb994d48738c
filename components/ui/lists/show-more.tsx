import { Button } from "@/components/ui/button";

interface ShowMoreProps {
  /** A query of pages, as react-query gives it. */
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };
}

/** Below a list of pages: fetches the next one, and is not there when there is none. */
export function ShowMore({ query }: ShowMoreProps) {
  if (!query.hasNextPage) return null;
  return (
    <div className="flex justify-center p-3">
      <Button onClick={() => void query.fetchNextPage()} isBusy={query.isFetchingNextPage}>
        Show more
      </Button>
    </div>
  );
}
