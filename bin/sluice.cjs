#!/usr/bin/env node
// Starts the command `sluice`. It must not know what the command does.
'use strict'
const { onNode } = require('./on-node.cjs')

onNode(() => {
  require('./compile-cache.cjs')
  import('../cli/main.ts')
})
