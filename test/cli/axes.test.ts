import t from 'tap'
import { AXES, unsafeReadToken } from '../../policy/index.ts'
import { GRANT } from '../../cli/options.ts'
import { openLab } from './lab.ts'

t.test('the options of a grant are the axes, and each makes its line', async (t) => {
  const lab = await openLab((end) => t.teardown(end))
  t.strictSame(
    Object.keys(GRANT).toSorted(),
    AXES.map(({ name }) => name)
      .filter((name) => name !== 'delegate')
      .toSorted(),
  )
  for (const { name, says, example } of AXES) {
    const line = example.replace('2026', '2999')
    const value = /^arg (.+)$|^\S+ \S+ (.+)$/.exec(line)?.slice(1).find(Boolean) ?? ''
    const flags = name === 'delegate' ? ['--no-delegate'] : [`--${name}`, value]
    const { exit, stdout, stderr } = await lab.run(['grant', 'mint', ...flags])
    t.equal(exit, 0, `${name}: ${stderr}`)
    t.strictSame(unsafeReadToken(stdout.trim()).lines, [line], name)
    const help = (await lab.run(['grant', 'mint', '--help'])).stdout.replace(/\s+/g, ' ')
    if (name !== 'delegate') t.ok(help.includes(says), `${name} is explained as in the table`)
  }
})
