// Starts a process whose ports are attacked: the sandbox alone.
import { tell, tellMemory } from '../../../../test/helpers/attacked-process.ts'
import { startSandbox } from '../../service/sandbox.ts'

export interface Started {
  readonly baseUrl: string
  readonly secret: string
}

const { baseUrl, keys } = await startSandbox()
tell({ baseUrl, secret: keys.full.secret } satisfies Started)
process.on('message', tellMemory)
