#!/usr/bin/env node
// Starts the command `sluice`. What the command does is not its business.
'use strict'
const { onNode } = require('./on-node.cjs')

onNode(() => {
  require('./compile-cache.cjs')
  import('../cli/main.ts')
})
