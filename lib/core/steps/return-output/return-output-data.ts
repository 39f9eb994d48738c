import { z } from "zod";
import { outputPropertiesSchema } from "#lib/core/steps/return-output/output-properties";
import { label } from "#lib/core/steps/step-settings";

export const returnOutputData = z.object({ ...label, properties: outputPropertiesSchema });
