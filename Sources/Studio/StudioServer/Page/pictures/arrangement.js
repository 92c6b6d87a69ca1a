// How tiles are arranged so that pictures are large: columns of a grid, and small pictures beside or below a large one.

const HEAD = 22, GAP = 4;
/// What a pixel of small pictures counts against one of the large picture.
const SMALL_WEIGHT = 0.4;
/// The least width of small pictures, the share of the width for those beside the large one, and shares of the height below it.
const LEAST = 90, MOST_BESIDE = 0.4, SHARES_BELOW = [0.18, 0.25, 0.32];

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
    const rowHeight = (height - GAP * (rows - 1)) / rows;
    const small = Math.max(LEAST, Math.min(fitted(Infinity, rowHeight, ratio), (width * MOST_BESIDE) / columns));
    choices.push({ isBeside: true, columns, rows, small, large: fitted(width - columns * (small + GAP), height, ratio) });
  }
  for (const share of SHARES_BELOW) {
    const small = Math.min(Math.round(height * share), width / others / ratio + HEAD);
    choices.push({ isBeside: false, columns: 1, rows: 1, small, large: fitted(width, height - small - GAP, ratio) });
  }
  const area = ({ isBeside, small, large }) => {
    const smallWidth = isBeside ? small : fitted(width / others, small, ratio);
    return large ** 2 + SMALL_WEIGHT * others * smallWidth ** 2;
  };
  const best = choices.reduce((one, two) => (area(two) > area(one) ? two : one));
  return {
    isBeside: best.isBeside,
    properties: {
      columns: gridColumns(width, height, count, ratio), others, rows: best.rows, beside: best.columns,
      small: `${Math.floor(best.small)}px`,
    },
  };
}
