// Keeps what Node has compiled of our sources between commands, so that the next one starts sooner. It is imported
// before everything else, so that it covers what is imported later. An older Node has no such cache and works without.
import module from 'node:module'
import path from 'node:path'

// The cache lies in this checkout. In the machine's temporary folder another user could own it, and what it holds is
// run by a process that has keys.
module.enableCompileCache?.(path.join(import.meta.dirname, '../../node_modules/.cache/compiled'))
