#!/usr/bin/env node
// Starts the command `sluice` on a Node that runs TypeScript: this one, or the one that `npm ci` brings. It is a plain
// script of old JavaScript, so that an old Node gets as far as the message. What the command does is not its business.
'use strict'
const { spawn } = require('node:child_process')
const { existsSync } = require('node:fs')
const path = require('node:path')

const LEAST_MAJOR = 24
const root = path.join(__dirname, '..')

if (Number(process.versions.node.split('.')[0]) >= LEAST_MAJOR) {
  if (existsSync(path.join(root, 'node_modules', 'commander'))) {
    require('./compile-cache.cjs')
    import('../cli/main.ts')
  } else refuse(`its packages are not installed`)
} else {
  const own = path.join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  // Where that one is too old as well, this script would start itself for ever.
  if (process.execPath !== own && existsSync(own)) startOn(own)
  else refuse(`it needs Node ${LEAST_MAJOR} or later, and this is ${process.version}`)
}

/** This script again, under the same name, so that the hints of the command can repeat it. */
function startOn(node) {
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' })
  child.on('error', ({ code }) => refuse(`its Node in ${node} cannot be started (${code})`))
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(name)
    process.kill(process.pid, signal)
  })
  // A terminal gives Ctrl-C to both processes. A second one would end the command at once, so it is not passed on.
  const hasTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY === true)
  process.on('SIGINT', () => hasTerminal || child.kill('SIGINT'))
  for (const name of ['SIGTERM', 'SIGHUP']) process.on(name, () => child.kill(name))
}

function refuse(why) {
  process.stderr.write(`error: sluice cannot run: ${why}\nnext:  npm ci in ${root}, which brings what it needs\n`)
  process.exit(2)
}
