// Makes the errors for an id in a state directory that is new for its account, with the movements that may be the id's.
// It reads nothing itself.
import { printable } from '../../../core/printable.ts'
import { ExitCode } from '../../../place/exit-code.ts'
import { OperationError } from '../../../place/operation-error.ts'
import { type Candidate, MOST_CANDIDATES } from './unknown-movements.ts'

/**
 * How long before the directory was made movements count, and how long after it ids are checked, in ms. People repeat a
 * run within days: a retry, a restored job, the close of a month. A month covers those, and its lists can still be
 * read.
 */
export const LOOK_BACK_MS = 30 * 24 * 3_600_000
/** Maximum candidates that a refusal names. */
const MOST_NAMED = 20

export interface RefusedDirectory {
  readonly stateDir: string
  /** ISO-8601, service time. */
  readonly newSince: string
  /** The command lines of `cases foreign ID` and `cases list` for this directory. */
  readonly foreign: string
  readonly attention: string
}

/**
 * A movement that an own intent may have made must not be declared foreign. That intent would then count as having
 * moved nothing.
 */
export function inDoubtHere(candidates: readonly Candidate[], directory: RefusedDirectory): OperationError {
  const intents = [...new Set(candidates.flatMap(({ inDoubt }) => inDoubt))].map(printable)
  const [these, theirs] = intents.length === 1 ? ['intent', 'it has'] : ['intents', 'they have']
  return refusal(
    candidates,
    directory,
    `settle ${these} ${intents.join(', ')} first: ${directory.attention}; once ${theirs} ended, the same command again`,
  )
}

/** No own intent may have made the candidates. */
export function mayHaveMoved(candidates: readonly Candidate[], directory: RefusedDirectory): OperationError {
  return refusal(
    candidates,
    directory,
    `run it with the state directory in which it ran before; or, for each movement that a person knows not to be this id's: ${directory.foreign}, then the same command again`,
  )
}

function refusal(
  candidates: readonly Candidate[],
  { stateDir, newSince }: RefusedDirectory,
  next: string,
): OperationError {
  // The candidates that decide what to do come first.
  const named = candidates.toSorted((left, right) => right.inDoubt.length - left.inDoubt.length).slice(0, MOST_NAMED)
  const more = candidates.length - named.length
  const orMore = candidates.length === MOST_CANDIDATES ? ' or more' : ''
  const days = LOOK_BACK_MS / (24 * 3_600_000)
  return new OperationError({
    exitCode: ExitCode.NeedsPerson,
    code: 'in_doubt',
    message: [
      `${stateDir} is new for this account since ${newSince}, and of what the account moved in the ${days} days before, ${candidates.length}${orMore} may be this id's: it may have moved already, under another journal; this command has sent nothing`,
      ...named.map(
        ({ text, inDoubt }) =>
          `${text}${inDoubt.length === 0 ? '' : `: it may be the movement of intent ${inDoubt.map(printable).join(', ')}`}`,
      ),
      ...(more > 0 ? [`and ${more}${orMore} more`] : []),
    ].join('\n'),
    next,
  })
}
