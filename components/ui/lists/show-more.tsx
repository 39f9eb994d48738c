import { Button } from "@/components/ui/button";

interface ShowMoreProps {
  /** An infinite query of react-query. */
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };
}

/** A button below a list that fetches the next page; renders nothing if there is none. */
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
