// Starts a program of this checkout, as every npm script does: `node bin/run.cjs FILE ARGUMENTS`, where FILE is in the
// checkout or in its node_modules. The program runs in this process wherever the Node is right.
'use strict'
const { runMain } = require('node:module')
const path = require('node:path')
const { onNode } = require('./on-node.cjs')

onNode(() => {
  // The program sees itself as what was started: by its arguments, by import.meta.main and by its exit code.
  process.argv.splice(1, 2, path.join(__dirname, '..', process.argv[2]))
  runMain()
})
