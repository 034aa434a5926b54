// Sorts a table by a click on the head of a column, and shows only the rows that hold what is typed above it.
"use strict";

const number = (text) => {
  const found = /^[+-]?[\d.]+/.exec(text.trim());
  return found ? Number(found[0]) : NaN;
};
const words = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

// What says nothing, "–" or nothing at all, stands last in either order.
const compare = (one, other, sign) => {
  const [a, b] = [number(one), number(other)];
  if (!Number.isNaN(a) && !Number.isNaN(b)) return sign * (a - b);
  const empty = (text) => text === "" || text === "–";
  if (empty(one) !== empty(other)) return empty(one) ? 1 : -1;
  return sign * words.compare(one, other);
};

for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    if (!head.textContent.trim() || head.querySelector(".aside-only")) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const sign = head.ariaSort === "ascending" ? -1 : 1;
      for (const other of heads) other.removeAttribute("aria-sort");
      head.ariaSort = sign > 0 ? "ascending" : "descending";
      const rows = [...table.tBodies[0].rows].map((row) => [row.cells[column].textContent.trim(), row]);
      rows.sort(([one], [other]) => compare(one, other, sign));
      table.tBodies[0].append(...rows.map(([, row]) => row));
    });
  });
}

for (const filter of document.querySelectorAll(".filter")) {
  const rows = [...document.getElementById(filter.dataset.table).tBodies[0].rows];
  const texts = rows.map((row) => row.textContent.toLowerCase().split(/\s+/).join(" ") + " ");
  const [field, count] = [filter.querySelector("input"), filter.querySelector("output")];
  const show = () => {
    const wanted = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, place) => {
      // A mistake, M1, is a whole word: M12 is another one.
      const holds = (word) => (/^m\d+$/.test(word) ? texts[place].includes(`${word} `) : texts[place].includes(word));
      row.hidden = !wanted.every(holds);
      shown += row.hidden ? 0 : 1;
    });
    count.textContent = `${shown} of ${rows.length}`;
  };
  field.addEventListener("input", show);
  filter.hidden = false;
  show();
}
