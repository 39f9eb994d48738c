import { currentReader, type Reader } from "#lib/support/format/reader";

/** Shown for a value that is missing or is not a number. */
export const NO_VALUE = "–";

const formats = new Map<string, Intl.NumberFormat>();
const plurals = new Intl.PluralRules("en");

const SIZES = [
  ["TiB", 1_024 ** 4],
  ["GiB", 1_024 ** 3],
  ["MiB", 1_024 ** 2],
  ["KiB", 1_024],
] as const;

interface NumberDigits {
  /** The maximum and minimum number of decimals; zero by default. */
  max?: number;
  min?: number;
}

/** Formats "1,234", or "12.5" with `{ max: 1 }`. */
export function formatNumber(
  value: number | null | undefined,
  { max = 0, min = 0 }: NumberDigits = {},
  { locale } = currentReader(),
): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return NO_VALUE;
  return formatOf(locale, { minimumFractionDigits: min, maximumFractionDigits: max }).format(value);
}

/** Formats "1 run", "2 runs", "1,000 runs". By default, the plural is the noun with an "s". */
export function formatCount(count: number, one: string, many = `${one}s`, reader = currentReader()): string {
  return `${formatNumber(count, {}, reader)} ${plurals.select(count) === "one" ? one : many}`;
}

/**
 * Formats a share of 1: "25%", one decimal below ten percent ("3.4%"), and "<0.1%" for anything smaller but not zero.
 */
export function formatPercent(share: number | null, { locale } = currentReader()): string {
  if (share === null || !Number.isFinite(share)) return NO_VALUE;
  const size = Math.abs(share);
  const isTiny = size > 0 && size < 0.001;
  const format = formatOf(locale, { style: "percent", maximumFractionDigits: size < 0.0995 ? 1 : 0 });
  return isTiny ? `<${format.format(0.001)}` : format.format(share);
}

/** Formats "512 B", "64 KiB", "1.5 MiB". */
export function formatBytes(bytes: number | null, reader: Reader = currentReader()): string {
  if (bytes === null || !Number.isFinite(bytes)) return NO_VALUE;
  // From 1023.95 on, one decimal would show "1,024 KiB".
  const [unit, size] = SIZES.find(([, unitBytes]) => bytes >= unitBytes * 0.99995 && bytes >= 1_024) ?? ["B", 1];
  return `${formatNumber(bytes / size, { max: 1 }, reader)} ${unit}`;
}

function formatOf(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify([locale, options]);
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, options);
  formats.set(key, format);
  return format;
}
