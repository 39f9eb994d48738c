import type { Delivery } from "#lib/domain/triggers/verification/delivery";

/** For tests: builds a delivery that arrives now. */
export function deliveryOf({
  body = "{}",
  headers = {},
  ...rest
}: Partial<Omit<Delivery, "body" | "headers">> & { body?: string | Buffer; headers?: HeadersInit } = {}): Delivery {
  return {
    method: "POST",
    url: "https://signalbox.example.com/webhooks/1",
    headers: new Headers(headers),
    body: Buffer.from(body),
    receivedAt: new Date(),
    ...rest,
  };
}
