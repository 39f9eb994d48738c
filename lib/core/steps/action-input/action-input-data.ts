import { z } from "zod";
import { inputPropertiesSchema } from "#lib/core/steps/action-input/input-properties";
import { label } from "#lib/core/steps/step-settings";

export const actionInputData = z.object({ ...label, properties: inputPropertiesSchema });
