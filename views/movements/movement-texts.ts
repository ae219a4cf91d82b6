// Writes the table of movements as text. Pure.
import {
  MOVEMENT_COLUMNS,
  type MovementColumn,
  type MovementRow,
} from '../../operations/movements/export/movement-row.ts'
import { rowTexts } from '../text/csv.ts'

export const MOVEMENT_TEXTS = rowTexts<MovementColumn, MovementRow>(MOVEMENT_COLUMNS)
