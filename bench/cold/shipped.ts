// Starts the steps of a conversion cold, as they are shipped: by their file in the assembly, and the environment in their
// template. A baseline's file may take their place.
import path from 'node:path'
import { loadParts } from '@sluice/embedded-aws'
import type { OrderInput } from '../../core/contract/convert.ts'
import type { RunningMachines } from '../../test/helpers/running-machines.ts'
import { type ColdFunction, type ColdStart, startCold } from './cold-process.ts'

const { planDeployment, readAssembly, functionEnvironment } = await loadParts()

export type Steps = Readonly<Record<'quote' | 'order', ColdFunction>>

export const CONVERSION = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '5' }

export function shippedSteps(assemblyDir: string, { aws, sandbox }: RunningMachines): Steps {
  const { functions, region } = planDeployment(readAssembly(assemblyDir), { ServiceUrl: sandbox.baseUrl })
  const credentials = aws.addUser('benchmark')
  const step = (name: string): ColdFunction => {
    const definition = functions.find((each) => each.name === name)
    if (definition === undefined) throw new TypeError(`the assembly has no function ${name}`)
    const place = { region, endpointUrl: aws.endpointUrl, credentials, logStreamName: 'benchmark' }
    return {
      file: path.join(definition.codeDir, `${definition.module}.mjs`),
      exportName: definition.exportName,
      environment: functionEnvironment(definition, place),
    }
  }
  return { quote: step('sluice-quote'), order: step('sluice-order') }
}

/**
 * A baseline's steps, each in the environment of ours. Under one name, its idempotency would take an order for the
 * preceding quote.
 */
export function inPlaceOf({ quote, order }: Steps, file: string): Steps {
  return { quote: { ...quote, file }, order: { ...order, file } }
}

/** Order needs quotes: a separate process requests them immediately before. `calls`: the first is cold. */
export async function startStep(step: keyof Steps, steps: Steps, name: string, calls: number): Promise<ColdStart> {
  const startedAt = new Date().toISOString()
  const asked = Array.from({ length: calls }, (_, nth) => ({
    execution: `${name}-${nth}`,
    startedAt,
    request: CONVERSION,
  }))
  const quoted = await startCold(steps.quote, asked)
  if (step === 'quote') return quoted
  const orders = quoted.answers.map(
    (said) => ({ request: CONVERSION, said }) satisfies Record<keyof OrderInput, unknown>,
  )
  return startCold(steps.order, orders)
}
