// `npm run test:aws`: deploys to a real account, moves small amounts, updates, rolls back, takes down, and prints what
// it sees. CI calls it with --synth-only, which reaches nothing.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ConfigError } from '../../core/treasury/config.ts'
import { commandText } from './commands.ts'
import { planLines } from './plan.ts'
import { differences, readReport, rehearsedReport, reportTo } from './report.ts'
import { realWorld } from './run-command.ts'
import { beganText, type Given, Refusal, readSetup } from './setup.ts'
import { Walk } from './step.ts'
import { STEP_NAMES, stepsOf } from './steps/steps.ts'
import { walkSteps } from './walk-steps.ts'

const USAGE = `Example: npm run test:aws -- --config it-treasury.json --keys keys.json --input buy.json

Tests a deployment in a real account: it deploys, moves small amounts, updates, rolls back, takes down, and deploys again.
  --config FILE  a treasury.json of the stage test, whose environment begins with it-, and whose aws pins account and region
  --keys FILE    the keys of the service, as JSON: they are put into the secrets of that environment
  --input FILE   a conversion of a small amount, as sluice run convert takes it. It is made five times
  --destroy      at the end the journal and the secrets are deleted too
  --from STEP    go on with this step: ${STEP_NAMES.join(', ')}
  --began TIME   with --from: when the walk was begun that is gone on with, as it said
  --go-on        at a double of AWS (AWS_ENDPOINT_URL): goes on after a step that fails, and names it at the end
  --report FILE  writes what each step saw, without names and secrets. Send it back
  --plan FILE    reaches nothing: prints what each step creates, costs and moves for this treasury.json
  --compare FILE reaches nothing: compares that report with what the doubles see, step by step
  --synth-only   reaches nothing: judges the assemblies of all steps against each other, and prints the commands

It needs version 2 of the AWS CLI, credentials of that account, and an account at the service with which nobody else works meanwhile:
no person, and no other environment. It takes some five hours; --plan tells each step.
Exit codes: 0 all steps were done; 1 one was not; 2 wrong usage, or a configuration that could touch others.`

const ExitCode = { Done: 0, Failed: 1, Usage: 2 } as const
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const EXAMPLE = fileURLToPath(new URL('example/', import.meta.url))

async function main(args: readonly string[]): Promise<number> {
  const given = parse(args)
  if (given === undefined) return ExitCode.Usage
  const { began = beganText(new Date()), destroy = false, from, input, keys, plan, report } = given
  const config = given.config ?? plan
  if (given.help === true) {
    console.log(USAGE)
    return ExitCode.Done
  }
  const files = filesOf(given)
  if (typeof files === 'string') {
    console.error(`${files}\n\n${USAGE}`)
    return ExitCode.Usage
  }
  // The folder stays, and a resumed walk writes the same files again.
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-test-aws-'))
  const setup = readSetup({ ...files, began, folder })
  if (given['synth-only'] === true) return synthOnly(setup)
  const again = (step: string, isDestroying = destroy) =>
    commandText({
      program: 'npm',
      args: [
        ...['run', 'test:aws', '--', '--config', config ?? '', '--keys', keys ?? 'KEYS', '--input', input ?? 'INPUT'],
        ...['--began', began, '--from', step, ...(isDestroying ? ['--destroy'] : [])],
        ...(report === undefined ? [] : ['--report', report]),
      ],
      mostMinutes: 0,
    })
  if (plan !== undefined) {
    for (const line of planLines(setup, again('destroy', true))) console.log(line)
    return ExitCode.Done
  }
  if (given.compare !== undefined) return compare(given.compare, setup)
  const walk = new Walk(setup, realWorld(ROOT, setup.place.region))
  walk.world.tell(
    `environment ${setup.environment}, account ${setup.place.account}, ${setup.place.region}; began ${began}`,
  )
  const { isDone, left } = await walkSteps(walk, {
    ...{ steps: stepsOf(destroy), from, again, isGoingOn: given['go-on'] === true },
    ...(report !== undefined && { report: reportTo(report, setup) }),
  })
  if (isDone && left.length > 0) walk.world.tell(`to take it away:\n  ${again('destroy', true)}`)
  return isDone ? ExitCode.Done : ExitCode.Failed
}

/** Returns the file names; a text is an error. */
function filesOf(given: NonNullable<ReturnType<typeof parse>>): Pick<Given, 'config' | 'input' | 'keys'> | string {
  const { began, compare, config, destroy, from, input, keys, plan } = given
  if (given['synth-only'] === true || plan !== undefined || compare !== undefined) {
    return {
      config: path.resolve(plan ?? config ?? path.join(EXAMPLE, 'treasury.json')),
      input: path.resolve(input ?? path.join(EXAMPLE, 'buy.json')),
      keys: path.resolve(keys ?? 'keys.json'),
    }
  }
  if (config === undefined || keys === undefined || input === undefined)
    return '--config, --keys and --input: expected a file each'
  if (given['go-on'] === true && !process.env.AWS_ENDPOINT_URL)
    return '--go-on: expected a double of AWS in AWS_ENDPOINT_URL; got none'
  if ((from === undefined) !== (began === undefined)) return '--from and --began: expected both, or none'
  if (from !== undefined && !stepsOf(destroy === true).some(({ name }) => name === from))
    return `--from: expected a step (destroy needs --destroy); got ${from}`
  return { config: path.resolve(config), keys: path.resolve(keys), input: path.resolve(input) }
}

/** A difference is for a person: AWS may be right, and then a double is not. */
async function compare(file: string, setup: ReturnType<typeof readSetup>): Promise<number> {
  const lines = differences(readReport(file), await rehearsedReport(setup))
  for (const line of lines) console.log(line)
  console.log(lines.length === 0 ? 'the doubles see what AWS shows, in every step' : `${lines.length} differences`)
  return lines.length === 0 ? ExitCode.Done : ExitCode.Failed
}

async function synthOnly(setup: ReturnType<typeof readSetup>): Promise<number> {
  const { rehearseWalk } = await import('./synth-only.ts')
  const faults = await rehearseWalk(setup, (line) => console.log(line))
  for (const fault of faults) console.error(`FAIL  ${fault}`)
  console.log(faults.length === 0 ? 'every step can follow; nothing was reached' : `${faults.length} findings`)
  return faults.length === 0 ? ExitCode.Done : ExitCode.Failed
}

function parse(args: readonly string[]) {
  try {
    const text = { type: 'string' } as const
    const flag = { type: 'boolean' } as const
    return parseArgs({
      args: [...args],
      options: {
        ...{ config: text, keys: text, input: text, from: text, began: text },
        ...{ plan: text, report: text, compare: text },
        ...{ destroy: flag, 'go-on': flag, 'synth-only': flag, help: { type: 'boolean', short: 'h' } },
      },
    }).values
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`)
    return undefined
  }
}

// Ctrl-C reaches the running command too. Its step then fails, and the remainders are printed.
process.on('SIGINT', () => undefined)
try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof Refusal)) throw error
  console.error(error.message)
  process.exitCode = ExitCode.Usage
}
