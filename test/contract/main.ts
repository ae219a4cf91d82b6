// `npm run test:contract`: runs the contract suite against the given address, or against a sandbox.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { isProfile, PROFILES } from '@sluice/service-sandbox'
import { TargetVariable } from './target.ts'

const HELP = `Example:
  npm run test:contract -- --service https://api.example.com --keys keys.json

Passes every endpoint of the service through the client. Assets, markets and contacts are found
through the API. Without --service a sandbox is started for it.

  --profile NAME  manners of that sandbox, such as hostile; its faults stay away (default: tidy)
  --service URL   address of the service, without /v2
  --keys FILE     {"secret","privateKeyPem","alg"}, or one such entry for each of read, trade, transfer
  --allow-moves   moves money: one conversion of twice a market's minimum, and the smallest
                  withdrawal to one contact of each type. Without it nothing is moved at a --service:
                  a quote is asked for, a signed order names a quote that never was, and a contact
                  is renamed to the label it has.

Exit codes: 0 all passed; 1 something did not; 2 wrong usage.`

function main(args: readonly string[]): number {
  let given: { service?: string; keys?: string; profile?: string; 'allow-moves'?: boolean; help?: boolean }
  try {
    given = parseArgs({
      args: [...args],
      options: {
        service: { type: 'string' },
        keys: { type: 'string' },
        profile: { type: 'string' },
        'allow-moves': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${HELP}`)
    return 2
  }
  if (given.help === true) {
    console.log(HELP)
    return 0
  }
  const { service, keys, profile } = given
  if (!isProfile(profile) || (profile !== undefined && service !== undefined)) {
    console.error(`--profile is of the sandbox: one of ${Object.keys(PROFILES).join(', ')}\n\n${HELP}`)
    return 2
  }
  if ((service === undefined) !== (keys === undefined) || (given['allow-moves'] === true && service === undefined)) {
    console.error(`--service and --keys go together, and --allow-moves with them\n\n${HELP}`)
    return 2
  }
  const mayMove = service === undefined || given['allow-moves'] === true
  console.error(service === undefined ? 'against a sandbox started for it' : `against ${service}`)
  console.error(mayMove ? 'small amounts are moved' : 'no money is moved (--allow-moves would)')
  return runSuite(
    service === undefined || keys === undefined
      ? { ...(profile !== undefined && { [TargetVariable.Profile]: profile }) }
      : {
          [TargetVariable.Service]: service,
          [TargetVariable.Keys]: path.resolve(keys),
          [TargetVariable.Moves]: mayMove ? 'yes' : 'no',
        },
  )
}

function runSuite(target: Readonly<Record<string, string>>): number {
  const vitest = path.resolve(import.meta.dirname, '../../node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--config', 'test/contract/vitest.config.ts', '--reporter', 'verbose']
  const { status } = spawnSync(process.execPath, args, {
    cwd: path.resolve(import.meta.dirname, '../..'),
    env: { ...process.env, ...target },
    stdio: 'inherit',
  })
  return status === 0 ? 0 : 1
}

process.exitCode = main(process.argv.slice(2))
