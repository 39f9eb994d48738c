import { checkRuleProviders } from "#lib/domain/accounts/single-sign-on/check-rule-providers";

/**
 * Compares the settings with the database, before the web server answers.
 * @throws Error naming the setting that must not have its value
 */
export function checkSettings(): Promise<void> {
  return checkRuleProviders();
}
