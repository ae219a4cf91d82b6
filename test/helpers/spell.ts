// Spells steps as a terminal does whose command names no place.
import { spelledFor } from '../../cli/terminal/command-line.ts'

export const spell = spelledFor({ argv: [], flags: {}, takesKeys: true })
