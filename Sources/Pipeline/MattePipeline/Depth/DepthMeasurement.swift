import FrameModel
import Kernels

/// Processes a single depth frame: conversion, registration, shift, decimation, spatial
/// filter.
final class DepthMeasurement {
  private let converter: DepthConverter
  private let shift: DepthShift
  private let spatialPasses: Int
  private let decimation: (kernel: DepthDecimation, larger: PixelPlane<UInt16>)?
  private let spatial: DepthSpatialFilter?

  init(_ format: DepthFormat, _ filters: DepthFilters, threadCount: Int, processor: Processor) {
    converter = format.converter
    shift = format.shift + filters.shift
    spatialPasses = filters.spatialPasses
    let (width, height) = (format.layout.width, format.layout.height)
    let kernel = DepthDecimation(width: width, height: height, factor: filters.decimation, processor: processor)
    decimation = filters.decimation > 1 ? (kernel, PixelPlane(width: width, height: height)) : nil
    spatial =
      filters.spatialPasses > 0
      ? DepthSpatialFilter(
        width: kernel.smallerWidth, height: kernel.smallerHeight, alpha: filters.spatialAlpha,
        deltaMillimeters: filters.spatialDelta, threadCount: threadCount, processor: processor) : nil
  }

  /// - Parameter plane: the output, of the decimated size.
  func measure(_ frame: Frame, to plane: PixelPlane<UInt16>, bands: BandRunner) {
    if let decimation {
      converter.convert(frame.bytes, to: decimation.larger.samples, bands: bands)
      shift.apply(to: decimation.larger, uncovered: 0)
      bands.run(rowCount: plane.height) { rows in
        decimation.kernel.apply(decimation.larger.samples, to: plane.samples, rows: rows)
      }
    } else {
      converter.convert(frame.bytes, to: plane.samples, bands: bands)
      shift.apply(to: plane, uncovered: 0)
    }
    if let spatial {
      for _ in 0..<spatialPasses { spatial.apply(plane.samples, bands: bands) }
    }
  }
}
