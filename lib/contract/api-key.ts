/** contract, API keys: `svc_` followed by 24 random bytes in base64url, which are 32 characters. */
export const RAW_KEY_PATTERN = /^svc_[A-Za-z0-9_-]{32}$/;
/** contract, API keys: the public prefix is `svc_` and the first four characters of the random part. */
export const KEY_PREFIX_LENGTH = 8;
export const KEY_RANDOM_BYTES = 24;
export const KEY_SALT_BYTES = 16;
