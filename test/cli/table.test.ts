import t from 'tap'
import { printable, table } from '../../cli/table.ts'

t.equal(
  table(
    ['A', 'LONG'],
    [
      ['wide cell', 'x'],
      ['y', ''],
    ],
  ),
  'A          LONG\nwide cell  x\ny\n',
)
t.equal(
  printable('a\u001B[2Jb\r\n\u202Ec'),
  'a\uFFFD[2Jb\uFFFD\uFFFD\uFFFDc',
  'no text from outside moves the cursor',
)
