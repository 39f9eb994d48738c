import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import type { FieldOption, FieldOptionsPage } from "#lib/contract/action/field-options";

const OPTIONS_MAX = 200;
const TEXT_CHARACTERS = 200;

interface OptionsRequest {
  /** The fields that the options depend on, if they have a literal value. */
  params: Readonly<Record<string, string>>;
  /** The search text; "" if there is none. */
  query: string;
  /** The `next` of the previous page. */
  cursor: string | null;
}

interface LoadedOptions {
  options: FieldOption[];
  /** The cursor of a service with pages. Missing if all options were returned. */
  next?: string | null;
  /** True if the service itself searched for `query`. */
  isSearched?: boolean;
}

/**
 * Lists the options of a field at a connection's service.
 * @throws StepError
 */
export type OptionsLoader = (service: ServiceContext, request: OptionsRequest) => Promise<LoadedOptions>;

/**
 * Returns a page of up to 200 options of a field: those that contain all words of the query, each value once.
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
