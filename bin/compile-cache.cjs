// Keeps what Node has compiled of our sources between commands, so that the next one starts sooner. Plain JavaScript, for
// the first file in TypeScript that is not in the cache brings the compiler with it. An older Node works without.
'use strict'
const module_ = require('node:module')
const path = require('node:path')

// The cache lies in this checkout. In the machine's temporary folder another user could own it, and what it holds is
// run by a process that has keys.
module_.enableCompileCache?.(path.join(__dirname, '../node_modules/.cache/compiled'))
