// Decides how long the service works on an accepted send. The service judges the send at arrival. It completes, answers
// and shows the send only later, whether or not the client still waits.
import type { World } from '../world.ts'

/** Returns the service time at which a send is done, or `nowMs` when it is done at once. */
export function doneAt(world: World, nowMs: number): number {
  const { slow } = world.manners
  if (slow === null) return nowMs
  const hex = world.newHex('work')
  if (Number.parseInt(hex.slice(0, 8), 16) % 100 >= slow.percent) return nowMs
  return nowMs + slow.leastMs + (Number.parseInt(hex.slice(8, 16), 16) % (slow.mostMs - slow.leastMs + 1))
}
