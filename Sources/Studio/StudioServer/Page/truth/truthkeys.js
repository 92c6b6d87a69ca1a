// The keys of painting truth, as rows of the table of keys: as people read them, what they do, an action for each key.

export function truthKeys({ truthMode: mode }) {
  return [
    ["T", "paint the truth, or stop", { t: () => mode.toggle() }],
    [", .", "previous or next painted frame", { ",": () => mode.goToPainted(-1), ".": () => mode.goToPainted(1) }],
  ];
}

/// Keys that have this meaning only while truth is painted.
export function paintingKeys({ truthMode: mode, truthBar: { act }, painter, brush }) {
  const kind = name => () => brush.set({ kind: name });
  const shape = name => () => brush.set({ shape: name });
  return [
    ["P B N", "brush: person, background, not judged", { p: kind("person"), b: kind("background"), n: kind("ignore") }],
    ["Alt, right button", "the brush's opposite", {}],
    ["D E L", "shape: disc, disc that stops at edges, lasso", { d: shape("disc"), e: shape("edges"), l: shape("lasso") }],
    ["[ ]", "smaller or larger brush; also Shift and the wheel", {
      "[": () => brush.resize(0.87), "]": () => brush.resize(1.15),
    }],
    ["Shift click", "a straight line from the last stroke", {}],
    ["Enter", "a dab at the cross, which J K U M move; Alt: the opposite", {
      Enter: () => painter.dab(false), "Alt+Enter": () => painter.dab(true),
    }],
    ["hold Space", "pan with the pointer; also the middle button", { " ": () => {} }],
    ["Y", "tint on or off; the outline stays", { y: () => brush.toggleTint() }],
    ["Shift N", "leave out what the nearest painted frame leaves out", { "Shift+N": act.copy }],
    ["Ctrl Z", "undo a stroke", { "Ctrl+z": act.undo }],
    ["Ctrl Shift Z", "paint it again", { "Ctrl+Shift+Z": act.redo, "Ctrl+y": act.redo }],
    ["Ctrl S", "save this frame's truth", { "Ctrl+s": act.save }],
    ["Escape", "stop painting", { Escape: () => mode.toggle() }],
  ];
}
