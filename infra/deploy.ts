// `npm run deploy`: the CDK deploys all stacks of treasury.json, or of `--config FILE`, with the other arguments that are
// given. Where that fails, this says what to do next, because the CDK's own last line often does not. Must not read what the
// CDK prints: it asks on the terminal.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import path from 'node:path'
import { nextAfterFailedDeploy } from './deploy-advice.ts'

const cdk = path.join(path.dirname(createRequire(import.meta.url).resolve('aws-cdk/package.json')), 'bin', 'cdk')
const given = process.argv.slice(2)
const at = given.indexOf('--config')
const configFile = at === -1 ? undefined : given.splice(at, 2)[1]
if (at !== -1 && configFile === undefined) throw new Error('--config: expected a file, such as --config live.json')
// The CDK starts synth.ts with the variables of this process.
if (configFile !== undefined) process.env.SLUICE_CONFIG = configFile
const args = ['deploy', '--all', '--no-previous-parameters', ...given]
const child = spawn(process.execPath, [cdk, ...args], { stdio: 'inherit' })
// Ctrl-C reaches the CDK, too, which then ends by itself.
process.on('SIGINT', () => undefined)
child.on('close', (code) => {
  process.exitCode = code ?? 1
  if (code === 0) return
  const hasFiles = ['credentials', 'config'].some((file) => existsSync(path.join(homedir(), '.aws', file)))
  for (const line of nextAfterFailedDeploy(process.env, hasFiles)) process.stderr.write(`${line}\n`)
})
