// Says where the tables of a state directory are. It has a file of its own, so that who only asks whether there are any
// loads no database.
import path from 'node:path'

export function databaseFolder(stateDir: string): string {
  return path.join(stateDir, 'dynamodb')
}
