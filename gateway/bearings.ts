import { modelOf, pathBearing, type Tool } from '../catalog/index.ts'
import type { Ask, Bearing } from '../policy/index.ts'
import type { Bears } from './config/index.ts'

/** What a call's arguments bear of what lines and guardrails ask about, by its row and its host. */
export function bearingsOf(
  tool: Tool,
  args: Ask['args'],
  bears: Bears,
): Pick<Ask, 'paths' | 'model' | 'runsCode'> {
  return {
    paths: stated(pathBearing(tool, args), bears.area),
    model: stated(modelOf(tool, args), bears.model),
    runsCode: tool.runs === 'code',
  }
}

/** What is not known of a call is known where the operator stated that this host bears no such thing. */
function stated(bearing: Bearing, bears: boolean): Bearing {
  return bearing.kind === 'unknown' && !bears ? { kind: 'none' } : bearing
}
