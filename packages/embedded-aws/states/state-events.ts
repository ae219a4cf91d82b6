// Builds the events for entering and leaving a state.
import type { State } from './definition.ts'
import type { EventDraft } from './history.ts'

/** `input` is JSON text. */
export function entered(state: State, input: string): EventDraft {
  return { type: `${state.type}StateEntered`, stateEnteredEventDetails: { name: state.name, input } }
}

/** `output` is JSON text. */
export function exited(state: State, output: string): EventDraft {
  return { type: `${state.type}StateExited`, stateExitedEventDetails: { name: state.name, output } }
}
