// Keeps what Node has compiled of our sources between commands, so that the next one starts sooner. Imported
// first, for all that is imported later on demand. An older Node has no such cache and does without.
import module from 'node:module'

module.enableCompileCache?.()
