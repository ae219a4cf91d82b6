// Makes the checks that need no account: whether its deployments can follow each other, whether every name belongs to
// the environment, and which commands it runs. Nothing is deployed, and no credentials are needed.
import { loadTreasury } from '../../core/treasury/config.ts'
import { factsOf, judgeWalk } from '../updates/judge-walk.ts'
import { TAKEN_DOWN } from '../updates/walks.ts'
import { rehearse } from './rehearsal.ts'
import type { Setup } from './setup.ts'
import { Walk } from './step.ts'
import { stepsOf } from './steps/steps.ts'
import { walkSteps } from './walk-steps.ts'

// npm run synth makes CDK's own check of the templates, which takes most of the time.
process.env.CDK_VALIDATION ??= 'false'

/** @returns a line for each fault */
export async function rehearseWalk(setup: Setup, tell: (line: string) => void): Promise<string[]> {
  const first = factsOf(setup.treasury)
  const updated = factsOf(loadTreasury(setup.files.updated))
  const byFile = new Map([
    [setup.treasury, first],
    [loadTreasury(setup.files.updated), updated],
  ])
  const [one, two] = [...byFile.keys()]
  if (one === undefined || two === undefined) throw new TypeError('there are two configurations')
  // In the order of the steps: first, updated, rolled back, taken down, and deployed again.
  const judged = judgeWalk([one, two, one, TAKEN_DOWN, one], (treasury) => byFile.get(treasury) ?? first)
  const findings = judged.map(({ found, step }) => `deployment ${step + 1}: ${JSON.stringify(found)}`)
  const named = [first, updated].flatMap(({ stacks }) =>
    stacks.flatMap(({ name: stack, resources }) => [
      stack,
      // A resource is replaced with its name, and with that of its group.
      ...Object.values(resources).flatMap(({ createOnly, name }) => (name === undefined ? [] : [createOnly])),
    ]),
  )
  const strangers = new Set(named.filter((name) => !name.includes(`${setup.environment}-`)))
  const rehearsal = rehearse(setup, { tell })
  const { isDone, left } = await walkSteps(new Walk(setup, rehearsal), {
    steps: stepsOf(true),
    again: (step) => `--from ${step}`,
  })
  return [
    ...findings,
    ...[...strangers].map((name) => `${name}: its name is not of the environment ${setup.environment}`),
    ...(isDone && left.length === 0 ? [] : [`the walk does not come to its end: ${left.join(', ')} left`]),
  ]
}
