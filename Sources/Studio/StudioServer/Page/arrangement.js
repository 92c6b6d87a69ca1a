// How tiles are arranged so that pictures are large: columns of a grid, and small pictures beside or below a large one.

const HEAD = 22, GAP = 4;
/// What a pixel of small pictures counts against one of the large picture.
const SMALL_WEIGHT = 0.4;

/// The width of a picture in a box with a head.
function fitted(width, height, ratio) {
  return Math.max(0, Math.min(width, (height - HEAD) * ratio));
}

function gridColumns(width, height, count, ratio) {
  const sizes = Array.from({ length: count }, (_, i) => fitted(width / (i + 1), height / Math.ceil(count / (i + 1)), ratio));
  return sizes.indexOf(Math.max(...sizes)) + 1;
}

/// - Returns: custom properties for the style sheet, and whether small pictures are beside the large one.
export function arrangement(width, height, count, ratio) {
  const others = Math.max(1, count - 1);
  const choices = [];
  for (let columns = 1; columns <= others; columns++) {
    const rows = Math.ceil(others / columns);
    const small = Math.max(90, Math.min(fitted(Infinity, (height - GAP * (rows - 1)) / rows, ratio), (width * 0.4) / columns));
    choices.push({ isBeside: true, columns, rows, small, large: fitted(width - columns * (small + GAP), height, ratio) });
  }
  for (const share of [0.18, 0.25, 0.32]) {
    const small = Math.round(height * share);
    choices.push({ isBeside: false, columns: 1, rows: 1, small: Math.min(small, width / others / ratio + HEAD), large: fitted(width, height - small - GAP, ratio) });
  }
  const area = ({ isBeside, small, large }) => large ** 2 + SMALL_WEIGHT * others * (isBeside ? small : fitted(width / others, small, ratio)) ** 2;
  const best = choices.reduce((one, two) => (area(two) > area(one) ? two : one));
  return {
    isBeside: best.isBeside,
    properties: { columns: gridColumns(width, height, count, ratio), others, rows: best.rows, beside: best.columns, small: `${Math.floor(best.small)}px` },
  };
}
