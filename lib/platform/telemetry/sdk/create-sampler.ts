import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace";
import type { Env } from "#lib/platform/config/env";

/** Creates the sampler that the settings name, with the meanings of the OpenTelemetry specification. */
export function createSampler({ OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG }: SamplerSettings): Sampler {
  const [, own] = /^parentbased_(.*)$/.exec(OTEL_TRACES_SAMPLER) ?? [];
  const root = rootSampler(own ?? OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG);
  return own === undefined ? root : new ParentBasedSampler({ root });
}

type SamplerSettings = Pick<Env, "OTEL_TRACES_SAMPLER" | "OTEL_TRACES_SAMPLER_ARG">;

function rootSampler(name: string, ratio: number): Sampler {
  if (name === "traceidratio") return new TraceIdRatioBasedSampler(ratio);
  return name === "always_off" ? new AlwaysOffSampler() : new AlwaysOnSampler();
}
