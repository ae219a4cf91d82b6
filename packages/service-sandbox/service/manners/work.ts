// How long the service works on a send that it has accepted: judged at its arrival, and done, answered and visible
// only after that, whether or not the client still listens.
import type { World } from '../world.ts'

/** Service time at which it is done: now where it is done at once. */
export function doneAt(world: World, nowMs: number): number {
  const { slow } = world.manners
  if (slow === null) return nowMs
  const hex = world.newHex('work')
  if (Number.parseInt(hex.slice(0, 8), 16) % 100 >= slow.percent) return nowMs
  return nowMs + slow.leastMs + (Number.parseInt(hex.slice(8, 16), 16) % (slow.mostMs - slow.leastMs + 1))
}
