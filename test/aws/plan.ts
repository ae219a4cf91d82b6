// Prints the plan of a walk, without credentials: each step, what it creates, costs and moves, how long it takes, and how it
// is taken down after a failure.
import type { Setup } from './setup.ts'
import type { Remainder } from './step.ts'
import { stepsOf } from './steps/steps.ts'
import { remainderText } from './walk-steps.ts'

/** `destroy`: the command that takes everything away. */
export function planLines(setup: Setup, destroy: string): readonly string[] {
  const steps = stepsOf(true)
  const left = new Set<Remainder>()
  const { account, region } = setup.place
  const lines = steps.flatMap(({ leaves = [], name, plan, removes = [], what }, at) => {
    for (const one of leaves) left.add(one)
    const rest = [...left]
    for (const one of removes) left.delete(one)
    return [
      `${String(at + 1).padStart(2)}  ${name}: ${what}`,
      `    creates: ${plan.creates}`,
      `    costs: ${plan.usd.toFixed(2)} USD`,
      `    moves: ${plan.moves}`,
      `    takes: ${plan.minutes} minutes`,
      rest.length === 0 ? '    after a failure: nothing is left' : '    after a failure the command below takes away:',
      ...rest.map((one) => `      ${remainderText(setup, one)}`),
    ]
  })
  const total = (figure: 'usd' | 'minutes') => steps.reduce((sum, { plan }) => sum + plan[figure], 0)
  return [
    `environment ${setup.environment}, account ${account}, ${region}`,
    ...lines,
    `in all: ${total('usd').toFixed(2)} USD of AWS, ${total('minutes')} minutes`,
    'after any failure, at any time, this takes everything away:',
    `  ${destroy}`,
  ]
}
