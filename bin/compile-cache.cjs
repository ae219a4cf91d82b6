// Keeps the compiled form of our sources between commands, so that the next command starts faster. Plain JavaScript, because
// the first TypeScript file outside the cache loads the compiler. An older Node works without the cache.
'use strict'
const module_ = require('node:module')
const path = require('node:path')

// The cache is in this checkout. Another user could own a folder in the machine's temporary folder, and a process that has
// keys runs what the cache contains.
module_.enableCompileCache?.(path.join(__dirname, '../node_modules/.cache/compiled'))
