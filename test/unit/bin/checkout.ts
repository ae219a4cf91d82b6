// Makes copies of the files that start a command, and a Node that claims to be old.
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { temporaryFolder } from '../../helpers/folders.ts'

/** Returns the name of the npm package with a Node for this machine. */
export function packageOfThisMachine(): string {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  const name = Object.keys(optionalDependencies).find((candidate) => {
    const { os, cpu } = packages[`node_modules/${candidate}`]
    return os === process.platform && cpu === process.arch
  })
  if (name === undefined) throw new Error('no package has a Node for this machine')
  return name
}

interface Checkout {
  readonly main?: string
  readonly hasPackages?: boolean
  /** The Node that `npm ci` installs. `broken`: its file exists, and cannot be started. */
  readonly node?: 'there' | 'missing' | 'broken'
}

/** Makes a copy and returns its folder, which is removed after the test. */
export function checkout({ main = '', hasPackages = true, node = 'there' }: Checkout = {}): string {
  const dir = temporaryFolder()
  // The name has a space, as in the folders of many people.
  const root = path.join(dir, 'a checkout')
  for (const folder of ['bin', 'cli']) mkdirSync(path.join(root, folder), { recursive: true })
  for (const file of [
    'sluice',
    'sluice.cjs',
    'bundled.cjs',
    'run.cjs',
    'on-node.cjs',
    'launched.cjs',
    'compile-cache.cjs',
  ]) {
    copyFileSync(`bin/${file}`, path.join(root, 'bin', file))
  }
  writeFileSync(path.join(root, 'bin/package.json'), '{}')
  writeFileSync(path.join(root, 'package.json'), '{"type":"module"}')
  writeFileSync(path.join(root, 'cli/main.ts'), main)
  if (hasPackages) mkdirSync(path.join(root, 'node_modules/commander'), { recursive: true })
  if (node !== 'missing') {
    const bin = path.join(root, 'node_modules', packageOfThisMachine(), 'bin')
    mkdirSync(bin, { recursive: true })
    if (node === 'there') symlinkSync(process.execPath, path.join(bin, 'node'))
    else writeFileSync(path.join(bin, 'node'), '')
  }
  symlinkSync(path.join(root, 'bin/sluice.cjs'), path.join(root, 'sluice'))
  writeFileSync(path.join(root, 'old.cjs'), OLD)
  return root
}

/**
 * Makes its process claim to be an old Node, but not the processes that it starts. `SYSTEM`: claims another platform or
 * another C library, too.
 */
const OLD = `
if (process.env.OLD_NODE === 'yes') {
  delete process.env.OLD_NODE
  Object.defineProperty(process.versions, 'node', { value: '20.20.2' })
  Object.defineProperty(process, 'version', { value: 'v20.20.2' })
  Object.defineProperty(process, 'execPath', { value: '/usr/bin/node' })
  if (process.env.SYSTEM === 'freebsd') Object.defineProperty(process, 'platform', { value: 'freebsd' })
  if (process.env.SYSTEM === 'musl') process.report.getReport = () => ({ header: {} })
}
`

/** Arguments and variables with which this Node claims to be v20.20.2. */
export const OLD_NODE = { args: ['--require', './old.cjs'], env: { OLD_NODE: 'yes' } }
