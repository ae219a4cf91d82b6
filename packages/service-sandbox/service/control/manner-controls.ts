// The manners of the service: shown, and changed from now on. What has happened stays as it was.
import { changedManners } from '../manners/manners.ts'
import type { World } from '../world.ts'

export function showManners({ manners }: World): unknown {
  return manners
}

/** Those that are given; the others stay. */
export function changeManners(world: World, body: Record<string, unknown>): unknown {
  const manners = changedManners(world.manners, body)
  const { profile } = world
  world.commit({ kind: 'manners.set', manners, ...(profile !== undefined && { profile }) })
  return showManners(world)
}
