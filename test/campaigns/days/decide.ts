// Notes what a person decides, as the observer may believe it: a decision counts where it is recorded, whatever the answer was.
import { isSamePerson } from '../../../core/contract/person.ts'
import type { Decision } from '../../../core/runs/approval/standing.ts'
import { RefusedRequest } from './ask.ts'

interface Deciding {
  ask(): Promise<unknown>
  /** Whether people may still decide on it. */
  waits(): Promise<boolean>
  findWords(): Promise<readonly Decision[]>
}

/**
 * Notes a decision, and asks for it. A run or a movement that ended meanwhile refuses the decision. The note then stays
 * only where the decision is recorded: its answer was lost.
 */
export async function decide<Note extends { readonly by: string }>(
  note: Note,
  notes: Note[],
  { ask, waits, findWords }: Deciding,
): Promise<void> {
  notes.push(note)
  try {
    await ask()
  } catch (error) {
    if (!(error instanceof RefusedRequest) || (await waits())) throw error
    const isRecorded = (await findWords()).some((word) => isSamePerson(word.by, note.by))
    if (!isRecorded) notes.splice(notes.indexOf(note), 1)
  }
}
