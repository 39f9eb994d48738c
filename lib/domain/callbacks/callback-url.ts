import { type CallbackPlace, signCallback } from "#lib/domain/callbacks/callback-token";
import { env } from "#lib/platform/config/env";

/** Builds the address that resumes a run at a step (decisions, Callbacks). */
export function callbackUrl(secret: Buffer, place: CallbackPlace): string {
  return `${env().WEBHOOK_BASE_URL ?? env().PUBLIC_BASE_URL}/callbacks/${signCallback(secret, place)}`;
}
