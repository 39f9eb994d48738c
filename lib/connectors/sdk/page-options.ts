import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import type { FieldOption, FieldOptionsPage } from "#lib/contract/field-options";

const OPTIONS_MAX = 200;
const TEXT_CHARACTERS = 200;

interface OptionsRequest {
  /** The fields that the choices depend on, as far as they are filled in with a value of their own. */
  params: Readonly<Record<string, string>>;
  /** What somebody looks for; "" when nothing. */
  query: string;
  /** `next` of the page before. */
  cursor: string | null;
}

interface LoadedOptions {
  options: FieldOption[];
  /** Of a service that gives pages; left out where it gave all there is. */
  next?: string | null;
  /** True where the service looked for `query` itself. */
  isSearched?: boolean;
}

/** Lists the choices of a field at a connection's service. @throws StepError */
export type OptionsLoader = (service: ServiceContext, request: OptionsRequest) => Promise<LoadedOptions>;

/**
 * A page of a field's choices, 200 at most: those that hold all words of the query, each value once.
 * @throws StepError
 */
export async function pageOptions(
  load: OptionsLoader,
  service: ServiceContext,
  request: OptionsRequest,
): Promise<FieldOptionsPage> {
  const [, offset = "0", cursor = ""] = /^(\d{1,6}):(.*)$/s.exec(request.cursor ?? "") ?? [];
  const loaded = await load(service, { ...request, cursor: cursor === "" ? null : cursor });
  const fitting = loaded.isSearched ? loaded.options : loaded.options.filter((option) => isFit(option, request.query));
  const unique = [...new Map(fitting.map((option) => [String(option.value), option])).values()];
  const end = Number(offset) + OPTIONS_MAX;
  const options = unique.slice(Number(offset), end).map(shortened);
  if (end < unique.length) return { options, next_cursor: `${end}:${cursor}` };
  return { options, next_cursor: loaded.next ? `0:${loaded.next}` : null };
}

function isFit({ value, label, hint = "" }: FieldOption, query: string): boolean {
  const text = `${label} ${hint} ${value}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function shortened({ value, label, hint }: FieldOption): FieldOption {
  const words = label.trim() === "" ? String(value) : label;
  return { value, label: words.slice(0, TEXT_CHARACTERS), ...(hint ? { hint: hint.slice(0, TEXT_CHARACTERS) } : {}) };
}
