// Keeps the function environments of a world, as Lambda keeps them: which environment answers a call, and which memory
// survives the call.
import { Machine } from './machine.ts'
import type { Scheduler } from './scheduler.ts'

/** A machine, and the ports of the function on it. */
interface Environment<Ports> {
  readonly verb: string
  readonly machine: Machine
  readonly ports: Ports
  readonly deployment: number
}

/**
 * A call takes an idle environment of any execution, with all that it remembers of keys and time. A new environment
 * starts only if all are busy.
 */
export class Environments<Ports> {
  readonly #idle = new Map<string, Environment<Ports>[]>()
  #deployment = 1
  readonly #scheduler: Scheduler
  readonly #wire: (machine: Machine, newId: () => string) => Ports

  /** `wire` makes the ports of a new environment from its machine and its source of ids. */
  constructor(scheduler: Scheduler, wire: (machine: Machine, newId: () => string) => Ports) {
    this.#scheduler = scheduler
    this.#wire = wire
  }

  take(verb: string): Environment<Ports> {
    return this.#idle.get(verb)?.pop() ?? this.#start(verb)
  }

  /** The environment has answered, and waits for its next call. No call reaches an environment of an earlier deployment. */
  giveBack(environment: Environment<Ports>): void {
    if (environment.deployment !== this.#deployment) return
    environment.machine.trace.restart()
    const idle = this.#idle.get(environment.verb)
    if (idle) idle.push(environment)
    else this.#idle.set(environment.verb, [environment])
  }

  /** The next calls get new environments, as after a deployment. */
  dropAll(): void {
    this.#deployment += 1
    this.#idle.clear()
  }

  /** The idle environments with their memory, as text. */
  text(): string {
    const byVerb = [...this.#idle].sort(([left], [right]) => (left < right ? -1 : 1))
    return byVerb.flatMap(([, idle]) => idle.map(({ machine }) => machine.text())).join('\n')
  }

  #start(verb: string): Environment<Ports> {
    const machine = new Machine(this.#scheduler, this.#scheduler.newName(verb))
    const newId = () => {
      const id = this.#scheduler.newName('id')
      machine.trace.note(id)
      return id
    }
    return { verb, machine, ports: this.#wire(machine, newId), deployment: this.#deployment }
  }
}
