/** Who reads a text: the conventions for numbers and dates, and the time zone of the moments. */
export interface Reader {
  /** BCP 47, always English: the interface has one language, and a German month in an English sentence reads as a bug. */
  locale: string;
  /** An IANA name. */
  timeZone: string;
}

/** The reader of everything that is written on a server for no one in particular. */
export const DEFAULT_READER: Reader = { locale: "en-US", timeZone: "UTC" };

let current: Reader | null = null;

/** Returns the browser's reader in a browser, `DEFAULT_READER` elsewhere. Each formatting function uses it by default. */
export function currentReader(): Reader {
  current ??= typeof document === "undefined" ? DEFAULT_READER : browserReader();
  return current;
}

/** Replaces the reader, so that tests don't depend on the machine's locale and zone. Null detects it again. */
export function setReader(reader: Reader | null): void {
  current = reader;
}

/** Returns the current reader with another time zone: the one of a schedule or of a workspace. */
export function readerIn(timeZone: string): Reader {
  return { ...currentReader(), timeZone };
}

function browserReader(): Reader {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return { locale: englishLocale(navigator.language), timeZone: timeZone || DEFAULT_READER.timeZone };
}

/**
 * Returns English as the reader's region writes it: "de-DE" becomes "en-DE", whose numbers are "1.234,5" and whose clock
 * has 24 hours. Without the region's own conventions in Intl, European English is used, because most such regions write
 * the day first and use 24 hours.
 */
export function englishLocale(language: string): string {
  const { region } = parseLocale(language);
  if (region === undefined) return DEFAULT_READER.locale;
  const locale = `en-${region}`;
  return new Intl.NumberFormat(locale).resolvedOptions().locale === locale ? locale : "en-150";
}

/** Returns the locale with its likely region, or none for a text that is not a locale. */
function parseLocale(language: string): { region?: string | undefined } {
  try {
    return new Intl.Locale(language).maximize();
  } catch {
    return {};
  }
}
