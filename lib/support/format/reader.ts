/** The person who reads a text: conventions for numbers and dates, and the time zone for moments. */
export interface Reader {
  /**
   * A BCP 47 locale, always English: the interface has one language, and a German month in an English sentence looks
   * like a bug.
   */
  locale: string;
  /** The name of an IANA time zone. */
  timeZone: string;
}

/** The reader of everything that a server writes for no particular person. */
export const DEFAULT_READER: Reader = { locale: "en-US", timeZone: "UTC" };

let current: Reader | null = null;

/**
 * Returns the browser's reader in a browser, and `DEFAULT_READER` elsewhere. All formatting functions use it by
 * default.
 */
export function currentReader(): Reader {
  current ??= typeof document === "undefined" ? DEFAULT_READER : browserReader();
  return current;
}

/** Replaces the reader, so that tests don't depend on the machine's locale and zone. Null detects it again. */
export function setReader(reader: Reader | null): void {
  current = reader;
}

/** Returns the current reader with another time zone, such as that of a schedule or a workspace. */
export function readerIn(timeZone: string): Reader {
  return { ...currentReader(), timeZone };
}

function browserReader(): Reader {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return { locale: englishLocale(navigator.language), timeZone: timeZone || DEFAULT_READER.timeZone };
}

/**
 * Returns the English locale with the conventions of the reader's region: "de-DE" becomes "en-DE", with numbers such as
 * "1.234,5" and a 24-hour clock. If Intl does not know the region's conventions, European English is used, because most
 * such regions write the day first and use 24 hours.
 */
export function englishLocale(language: string): string {
  const { region } = parseLocale(language);
  if (region === undefined) return DEFAULT_READER.locale;
  const locale = `en-${region}`;
  return new Intl.NumberFormat(locale).resolvedOptions().locale === locale ? locale : "en-150";
}

/** Returns the locale with its likely region; no region if the text is not a locale. */
function parseLocale(language: string): { region?: string | undefined } {
  try {
    return new Intl.Locale(language).maximize();
  } catch {
    return {};
  }
}
