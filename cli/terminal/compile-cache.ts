// Keeps what Node has compiled of our sources between commands, so that the next one starts sooner. It is imported by a
// file that has no other import at its top, so that it covers all that is imported later. An older Node works without.
import module from 'node:module'
import path from 'node:path'

// The cache lies in this checkout. In the machine's temporary folder another user could own it, and what it holds is
// run by a process that has keys.
module.enableCompileCache?.(path.join(import.meta.dirname, '../../node_modules/.cache/compiled'))
