import CV4L2

extension LinuxVideoNode {
  func controls() -> [VideoControl] {
    var controls: [VideoControl] = []
    var id = UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
    // Stops at a driver that returns the same control again.
    var last: UInt32 = 0
    while controls.count < 1024 {
      var query = v4l2_query_ext_ctrl()
      query.id = id
      guard (try? call { cv4l2_query_control(descriptor, &query) }) != nil, query.id > last else { break }
      last = query.id
      id = query.id | UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
      // Arrays have no single value.
      guard query.nr_of_dims == 0, let kind = Self.kind(query.type) else { continue }
      var control = VideoControl(
        id: query.id, title: Self.text(query.name), kind: kind, minimum: query.minimum, maximum: query.maximum,
        step: query.step, defaultValue: query.default_value,
        isWide: query.type == UInt32(V4L2_CTRL_TYPE_INTEGER64.rawValue), flags: query.flags)
      if kind == .menu || kind == .integerMenu { control.menu = menu(of: control) }
      controls.append(control)
    }
    return controls
  }

  private static func kind(_ type: UInt32) -> VideoControl.Kind? {
    switch type {
    case UInt32(V4L2_CTRL_TYPE_INTEGER.rawValue), UInt32(V4L2_CTRL_TYPE_INTEGER64.rawValue): .integer
    case UInt32(V4L2_CTRL_TYPE_BOOLEAN.rawValue): .boolean
    case UInt32(V4L2_CTRL_TYPE_MENU.rawValue): .menu
    case UInt32(V4L2_CTRL_TYPE_INTEGER_MENU.rawValue): .integerMenu
    case UInt32(V4L2_CTRL_TYPE_BITMASK.rawValue): .bitmask
    case UInt32(V4L2_CTRL_TYPE_BUTTON.rawValue): .button
    default: nil
    }
  }

  /// A menu's indices may have gaps.
  private func menu(of control: VideoControl) -> [VideoControl.MenuItem] {
    guard control.minimum >= 0, control.minimum <= control.maximum else { return [] }
    var items: [VideoControl.MenuItem] = []
    for index in control.minimum...control.minimum + min(255, control.maximum - control.minimum) {
      var item = v4l2_querymenu()
      item.id = control.id
      item.index = UInt32(clamping: index)
      guard (try? call { cv4l2_query_menu(descriptor, &item) }) != nil else { continue }
      var name = [CChar](repeating: 0, count: 33)
      cv4l2_menu_name(&item, &name)
      let text =
        control.kind == .integerMenu
        ? "\(cv4l2_menu_value(&item))"
        : String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      items.append(VideoControl.MenuItem(index, text))
    }
    return items
  }

  func value(of control: VideoControl) throws(KernelError) -> Int64 {
    var value: Int64 = 0
    try call { cv4l2_get_control(descriptor, control.id, control.isWide ? 1 : 0, &value) }
    // A bitmask's highest bit is not a sign.
    return control.kind == .bitmask ? Int64(UInt32(truncatingIfNeeded: value)) : value
  }

  func set(_ control: VideoControl, to value: Int64) throws(KernelError) {
    try call { cv4l2_set_control(descriptor, control.id, control.isWide ? 1 : 0, value) }
  }
}
