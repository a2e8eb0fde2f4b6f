import { refusal, type Refusal } from '../refusal.ts'

/** The refusal at a door that the configuration has to open. */
export function closedDoor(name: 'graphql' | 'webhook'): Refusal {
  return refusal('door_closed', 'door', {
    got: `doors.${name} is not set`,
    repair: `ask the operator to set \`doors: {${name}: true}\`, or call the tool through \`/g/run\``,
  })
}
