// Explores small scopes exhaustively: every schedule of one small world with a bounded number of faults, crashes,
// freezes and switches. It departs from the plain course at each point in turn. A schedule stops at a state that was
// met before with as much of the bounds left, because its future is explored already.
import { hash } from 'node:crypto'
import { addTo, brokenWorld, type Figures, noFigures, timing } from './campaign.ts'
import { ANY_NUMBER, type Departure, type Point, type ScriptedChoices, scriptedChoices } from './choices.ts'
import { Course, type Open, type Walk } from './course.ts'
import type { Schedule } from './schedule.ts'
import type { Scope } from './scopes.ts'
import { END, StateGraph } from './state-graph.ts'
import { runSchedule } from './world.ts'

export { SCOPES } from './scopes.ts'

/** The part `index` out of `of`; all parts together are the whole scope. */
export interface Share {
  readonly index: number
  readonly of: number
}

export interface FailedScript {
  /** Index of the world in the scope. */
  readonly corner: number
  readonly script: readonly Departure[]
  readonly violations: readonly string[]
}

export interface Explored extends Figures {
  readonly scripts: FailedScript[]
  states: number
  /** Number of schedules that stopped at a known state. */
  merged: number
  /** Number of schedules of the whole tree, each followed to its end. */
  standsFor: number
  /** Virtual time of the longest schedule, until faults stop. */
  longestMs: number
  /** By the departure's name: how often it was taken, and how often it led at once to a known state. */
  readonly departures: Map<string, { taken: number; merged: number }>
}

const MERGING: Walk = { merges: true }
const MOST_FAILURES = 5

const PLAIN: Open = { parent: undefined, departure: undefined, node: END, spent: 0, name: '', key: '', elapsedMs: 0 }

export interface Exploring {
  readonly walk?: Walk
  /** Called every 500 schedules. `worldsDone`: worlds of the scope that are finished. `open`: schedules that wait. */
  readonly onProgress?: (explored: Explored, worldsDone: number, open: number) => void
}

/** Runs the plain course, then each departure from it, then each departure from those, within the bounds. */
export async function explore(
  scope: Scope,
  share: Share,
  { walk = MERGING, onProgress }: Exploring = {},
): Promise<Explored> {
  const { bounds, worlds, lifeMs } = scope
  if (walk.merges && bounds.clock > 0) throw new Error('a clock that is set is not part of the state that is compared')
  const explored: Explored = {
    ...noFigures(),
    ...{ scripts: [], states: 0, merged: 0, standsFor: 0, longestMs: 0, departures: new Map() },
  }
  const stop = timing(explored)
  const followed: Walk = { ...walk, isDated: scope.isDated, isWanted: wantedIn(share, scope) }
  for (const [corner, small] of worlds.entries()) {
    const graph = new StateGraph()
    // Schedules that have spent least run first, so that they meet each state with most of the bounds left.
    const open: Open[][] = [[PLAIN]]
    for (const schedules of open) {
      for (let next = schedules.pop(); next && explored.scripts.length < MOST_FAILURES; next = schedules.pop()) {
        const script = scriptOf(next)
        const choices = scriptedChoices(script, bounds)
        const course = new Course(choices, next, graph, followed)
        const { violations, isCut } = await runScript(small, choices, explored)
        if (!isCut && walk.merges) course.end()
        if (violations.length > 0) explored.scripts.push({ corner, script, violations })
        if (isCut) explored.merged += 1
        noteDeparture(explored, next, course.isMergedAtOnce)
        const from = (next.departure?.point ?? -1) + 1
        for (let point = choices.points.length - 1; point >= from; point -= 1) {
          for (const child of course.departuresAt(point, choices.points[point] as Point)) {
            open[child.spent] ??= []
            open[child.spent]?.push(child)
          }
        }
        if (explored.schedules % 500 === 0) {
          onProgress?.(
            explored,
            corner,
            open.reduce((sum, { length }) => sum + length, 0),
          )
          await new Promise((resolve) => setImmediate(resolve))
        }
      }
    }
    explored.states += graph.states
    if (!walk.merges) continue
    const { schedules, longestMs } = graph.sumUp(1)
    explored.standsFor += schedules
    explored.longestMs = Math.max(explored.longestMs, longestMs)
  }
  // States are compared without their time, so no state may be near the end of an intent's time.
  if (!scope.isDated && explored.longestMs > lifeMs / 2)
    throw new Error(`a schedule of ${explored.longestMs} ms is too long for its scope`)
  stop()
  return explored
}

/**
 * Chooses the departures that divide a scope into parts of similar size. A departure takes all that follows it along.
 * The first paid departure divides where processes continue in any order, else the second.
 */
function wantedIn({ index, of }: Share, { bounds }: Scope): Walk['isWanted'] {
  if (of === 1) return undefined
  const dividing = bounds.switch === ANY_NUMBER ? 1 : 2
  return (paid, key) => paid !== dividing || Number.parseInt(hash('md5', key).slice(0, 12), 16) % of === index
}

function noteDeparture({ departures }: Explored, { name }: Open, isMerged: boolean): void {
  const known = departures.get(name) ?? { taken: 0, merged: 0 }
  departures.set(name, { taken: known.taken + 1, merged: known.merged + (isMerged ? 1 : 0) })
}

function scriptOf(open: Open): Departure[] {
  const script: Departure[] = []
  for (let at: Open | undefined = open; at?.departure; at = at.parent) script.push(at.departure)
  return script.reverse()
}

/** Runs one schedule of a scope again. */
export async function followScript({ bounds, worlds }: Scope, corner: number, script: readonly Departure[]) {
  const small = worlds[corner]
  if (!small) return ['no such corner']
  return (await runScript(small, scriptedChoices(script, bounds), noFigures())).violations
}

async function runScript(small: Schedule, choices: ScriptedChoices, figures: Figures) {
  const ended = await runSchedule(small, choices).catch(brokenWorld)
  addTo(figures, ended)
  return ended
}
