import { html, type Markup } from '../../../pages/html.ts'
import { prose } from '../../../pages/parts.ts'
import type { Judged } from './judge.ts'
import { freshRow, hasSubject, rowOf, type AxisRow, type Row } from './rows.ts'

export interface EditorParts {
  /** What a line may be about here. */
  readonly axes: readonly AxisRow[]
  readonly rows: readonly Row[]
  /** Undefined where nothing has been judged yet. */
  readonly judged: Judged | undefined
}

/** The lines of a grant as rows of fields, with buttons for more of them. It stands in a form with `data-lines`. */
export function linesEditor({ axes, rows, judged }: EditorParts): Markup {
  const axisOf = (name: string) => axes.find((axis) => axis.name === name)
  const items = rows.map((row, at) => rowItem(row, String(at), { axis: axisOf(row.axis), judged }))
  const templates = axes.map((axis) => {
    const row = rowItem(freshRow(axis), 'N', { axis, judged: undefined })
    return html`<template id="row-${axis.name}">${row}</template>`
  })
  const kinds = axes.map(
    ({ name, says }) =>
      html`<li><button name="do" value="add.${name}" title="${says}">+ ${name}</button></li>`,
  )
  return html`<button class="unseen" name="do" value="preview" tabindex="-1" aria-hidden="true">
      Preview
    </button>
    <ol class="rows" aria-label="Lines">
      ${items}
    </ol>
    <div class="tight" role="group" aria-labelledby="kinds">
      <p class="label" id="kinds">Add a line about</p>
      <ul class="kinds">
        ${kinds}
      </ul>
    </div>
    ${templates}`
}

interface RowContext {
  /** Undefined where the row is about something that is no axis here. */
  readonly axis: AxisRow | undefined
  readonly judged: Judged | undefined
}

function rowItem(row: Row, number: string, { axis, judged }: RowContext): Markup {
  const fault = judged?.faults.get(Number(number))
  const field: Field = { number, fault, example: exampleOf(axis) }
  const about = hasSubject(row.axis) ? ' about' : ''
  return html`<li class="row" data-axis="${row.axis}" data-row="${number}">
    <input type="hidden" name="${number}.axis" value="${row.axis}" />
    <div class="row-head">
      <h2 id="${number}-axis"><code>${row.axis}</code></h2>
      <button class="light" name="do" value="remove.${number}" aria-describedby="${number}-axis">
        Remove
      </button>
    </div>
    <p class="help" id="${number}-help">${helpOf(axis)}</p>
    <div class="row-fields${about}">
      ${about === '' ? undefined : subjectFields(row, field)}
      ${opField(row, axis?.ops ?? [row.op], field)} ${textField('value', 'Value', row.value, field)}
    </div>
    <p class="fault" id="${number}-fault">${fault === undefined ? undefined : prose(fault)}</p>
  </li>`
}

interface Field {
  readonly number: string
  readonly fault: string | undefined
  readonly example: Row | undefined
}

function subjectFields(row: Row, field: Field): Markup {
  return html`${textField('tool', 'Tool', row.tool, field)}${textField('path', 'Argument', row.path, field)}`
}

function textField(
  part: 'tool' | 'path' | 'value',
  label: string,
  value: string,
  { number, fault, example }: Field,
): Markup {
  const invalid = fault === undefined ? undefined : html` aria-invalid="true"`
  return html`<div class="field">
    <label for="${number}-${part}">${label}</label
    ><input
      class="code"
      id="${number}-${part}"
      name="${number}.${part}"
      value="${value}"
      placeholder="${example?.[part]}"
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
      maxlength="4096"
      aria-describedby="${number}-axis ${number}-help ${number}-fault"
      ${invalid}
    />
  </div>`
}

function opField({ op }: Row, ops: readonly string[], { number }: Field): Markup {
  const name = `${number}.op`
  const [only, ...others] = ops
  if (others.length === 0)
    return html`<input type="hidden" name="${name}" value="${only}" /><code class="op"
        >${only}</code
      >`
  const options = ops.map((each) => {
    const selected = each === op ? html` selected` : undefined
    return html`<option${selected}>${each}</option>`
  })
  return html`<div class="field">
    <label for="${number}-op">Operator</label
    ><select class="op" id="${number}-op" name="${name}" aria-describedby="${number}-axis">
      ${options}
    </select>
  </div>`
}

/** When a line of the axis holds, and what its value looks like. */
function helpOf(axis: AxisRow | undefined): Markup {
  if (axis === undefined) return html`Lines cannot be about this here; remove it.`
  return html`Holds when ${prose(axis.says)}. Write ${prose(axis.value)}.`
}

/** The parts of an axis's own example. */
function exampleOf(axis: AxisRow | undefined): Row | undefined {
  return axis === undefined ? undefined : rowOf(axis.example)
}
