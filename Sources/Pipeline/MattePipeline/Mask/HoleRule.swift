import Parameters

/// How pixels without depth are classified. Raw values are those of `mask.holes`.
package enum HoleRule: String, ParameterChoice {
  /// Background (A.4); in masks made from disparity, the greatest disparity, 1 (C.12).
  case auto
  case background, foreground
  /// The person if the hole was judged too near for the sensor, else background.
  case near
}
