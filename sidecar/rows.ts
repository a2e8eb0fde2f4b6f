import { pathBearing, type Tool } from '../catalog/index.ts'

function globPattern(glob: string): RegExp {
  const literals = glob.split('*').map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&'))
  return new RegExp(`^${literals.join('.*')}$`, 's')
}

/**
 * The granted rows of a catalog that take paths by their schema: a run that may call one has to say its area.
 * Without `tools` every row is granted.
 */
export function pathBearingRows(
  catalog: readonly Tool[],
  tools: readonly string[] | undefined,
): readonly string[] {
  const patterns = tools?.flatMap((list) => list.split(',')).map(globPattern)
  return catalog
    .filter(({ name }) => patterns === undefined || patterns.some((glob) => glob.test(name)))
    .filter((tool) => pathBearing(tool, {}).kind === 'values')
    .map(({ name }) => name)
}
