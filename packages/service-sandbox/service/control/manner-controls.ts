// Shows and changes the manners of the service. Changes apply from now on; past records stay as they are.
import { changedManners } from '../manners/manners.ts'
import type { World } from '../world.ts'

export function showManners({ manners }: World): unknown {
  return manners
}

/** Changes the given manners; the others stay. */
export function changeManners(world: World, body: Record<string, unknown>): unknown {
  const manners = changedManners(world.manners, body)
  const { profile } = world
  world.commit({ kind: 'manners.set', manners, ...(profile !== undefined && { profile }) })
  return showManners(world)
}
