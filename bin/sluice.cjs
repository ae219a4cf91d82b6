#!/usr/bin/env node
// Starts the command `sluice`, from its bundle or from its sources. It must not know what the command does.
'use strict'
const { isBundled } = require('./bundled.cjs')
const { onNode } = require('./on-node.cjs')

onNode(() => {
  require('./compile-cache.cjs')
  import(isBundled() ? '../dist/main.mjs' : '../cli/main.ts')
})
