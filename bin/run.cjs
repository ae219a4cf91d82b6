// Starts a program of this checkout, as every npm script does: `node bin/run.cjs FILE ARGUMENTS`. FILE is in the checkout or
// in its node_modules. On a right Node the program runs in this process.
'use strict'
const { runMain } = require('node:module')
const path = require('node:path')
const { onNode } = require('./on-node.cjs')

onNode(() => {
  // The program sees itself as the started program: in its arguments, in import.meta.main and in its exit code.
  process.argv.splice(1, 2, path.join(__dirname, '..', process.argv[2]))
  runMain()
})
