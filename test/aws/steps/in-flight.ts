// Keeps an execution under way while the deployment changes. A halt stops the execution from sending, so it is
// certainly still under way when the update is done.
import * as z from 'zod/mini'
import { sinceTime } from '../setup.ts'
import type { Walk } from '../step.ts'
import { orderIds } from './movements.ts'

const IN_FLIGHT = 'in-flight'
/** Long enough for two deployments, if one fails. */
const LIFE_HOURS = 6
/** A held execution tries again after some minutes. */
const WAITS = 60
const WAIT_SECONDS = 15

const started = z.object({ executionArn: z.string() })
const described = z.object({ status: z.string(), output: z.optional(z.string()) })

/** Nothing is sent from here on, until `letGo`. */
export async function holdOne(walk: Walk): Promise<void> {
  const { operator, setup, user } = walk
  await walk.must(user.halt)
  const notAfter = new Date(Date.parse(sinceTime(setup)) + LIFE_HOURS * 3_600_000).toISOString()
  const input = JSON.stringify({ ...setup.request, notAfter })
  // The same name and input start the same execution, as long as it runs.
  await walk.read(operator.startConversion(walk.idOf(IN_FLIGHT), input), started)
}

export async function assertUnderWay(walk: Walk): Promise<void> {
  const { status } = await walk.read(walk.operator.describeExecution(arnOf(walk)), described)
  walk.assert(status === 'RUNNING', `the execution that a halt holds is ${status}; expected RUNNING`)
}

/** Ends the halt, and checks that the execution ends on the code with which it began. */
export async function letGo(walk: Walk): Promise<void> {
  const { operator, user, world } = walk
  await walk.must(user.resume)
  let last = await walk.read(operator.describeExecution(arnOf(walk)), described)
  for (let waited = 0; last.status === 'RUNNING' && waited < WAITS; waited += 1) {
    await world.pause(WAIT_SECONDS)
    last = await walk.read(operator.describeExecution(arnOf(walk)), described)
  }
  walk.assert(last.status === 'SUCCEEDED', `the execution over the update is ${last.status}; expected SUCCEEDED`)
  const versions = versionsIn(await walk.must(operator.history(arnOf(walk))))
  walk.assert(versions.size > 0, 'its history names no version of a function')
  for (const [name, numbers] of versions) {
    walk.assert(numbers.size === 1, `it called ${name} in the versions ${[...numbers].join(' and ')}; expected one`)
  }
  const [, orderId] = last.output?.match(/"orderId"\s*:\s*"([^"]+)"/) ?? []
  walk.assert(orderId !== undefined, `the execution over the update has no order: ${last.output?.slice(0, 300)}`)
  walk.assert((await orderIds(walk)).has(orderId), `the service knows no order ${orderId}`)
  walk.see({ status: last.status, versionsOfAFunction: 1 })
  walk.note(`order ${orderId}; ${[...versions].map(([name, [number]]) => `${name} ${number}`).join(', ')}`)
}

function arnOf(walk: Walk): string {
  const { convertMachineArn } = walk.setup.names
  return `${convertMachineArn.replace(':stateMachine:', ':execution:')}:${walk.idOf(IN_FLIGHT)}`
}

/** Versions by the name of the function, from the ARNs in a history. */
function versionsIn(history: string): Map<string, Set<string>> {
  const versions = new Map<string, Set<string>>()
  for (const [, name = '', number = ''] of history.matchAll(/:function:([A-Za-z0-9_-]+):(\d+)/g)) {
    versions.set(name, (versions.get(name) ?? new Set()).add(number))
  }
  return versions
}
