// Where the tables of a state directory lie: apart, for whoever only asks whether there are any.
import path from 'node:path'

export function databaseFolder(stateDir: string): string {
  return path.join(stateDir, 'dynamodb')
}
