import type { HolderDoor } from '../holder-door.ts'
import { closedDoor } from '../run/closed.ts'
import { checkWay } from '../standing.ts'

/** Answers GraphQL over HTTP, where the configuration opens the door. */
export const answerGraphql: HolderDoor = async (knock, around) => {
  if (!around.config.doors.graphql) throw closedDoor('graphql')
  const standing = await around.standing(knock)
  checkWay(standing, knock.door)
  // Not before it is asked for: it takes a while to load, and most gateways never need it.
  const { answerDocument } = await import('./answer.ts')
  return answerDocument(knock, standing, around)
}
