import { Menu } from '../parts/menu.js'
import { type Column, COLUMNS, isChosen, restoreColumns, toggleColumn } from './columns.js'

/** Chooses the columns of the list. */
export function ColumnMenu() {
  return (
    <Menu label="Columns">
      <ul class="column-choice" onClick={(event) => event.stopPropagation()}>
        {COLUMNS.filter((column: Column) => !column.isFixed).map(({ name, title }) => (
          <li key={name}>
            <label>
              <input type="checkbox" checked={isChosen(name)} onChange={() => toggleColumn(name)} /> {title}
            </label>
          </li>
        ))}
      </ul>
      <button type="button" class="more" onClick={restoreColumns}>
        All columns
      </button>
    </Menu>
  )
}
