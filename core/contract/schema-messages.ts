// Replaces zod's own messages in texts that people read. zod takes its messages from a process-wide setting, and any
// import of the whole of zod sets it to English. With this option the messages depend on the schema alone.

/** Message of an issue whose schema states no expectation. The code that describes the issue writes a better text. */
export const NO_EXPECTATION = 'Invalid input'

/**
 * Option for every `safeParse` whose issues are described to people. A message in the schema itself takes precedence.
 */
export const SCHEMA_MESSAGES = { error: () => NO_EXPECTATION }
