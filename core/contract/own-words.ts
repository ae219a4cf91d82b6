// Keeps zod's words out of messages that people read. zod takes its words from a setting of the whole process, which
// anybody who imports all of zod sets to English. With this option the words follow from the schema alone.

/** The message of an issue whose schema states no expectation. Whoever describes the issue finds better words. */
export const NO_EXPECTATION = 'Invalid input'

/** Option for every `safeParse` whose issues are described. A schema's own message goes before it. */
export const OWN_WORDS = { error: () => NO_EXPECTATION }
